"""Cards of the built-in benchmarks: where each comes from, under which licence, public since when.

A card is a TOML file in `contamcheck.benchmarks_data`; its name is the benchmark's.
"""

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any


def packaged_data() -> Traversable:
    """Folder of the cards and of the demo, wherever the package is installed."""
    return resources.files("contamcheck.benchmarks_data")


@dataclass(frozen=True, kw_only=True)
class Card:
    """What is known of a built-in benchmark.

    Either `source` and `split` say where it lies on the Hugging Face Hub, or `file` names a packaged file.

    Attributes
    ----------
    name, title : str
        The word that users type, and a line for people.
    source, config, split : str
        Hub id, configuration (None if the dataset has only one) and split.
    file : str
        Path of a packaged file, below the folder of the cards.
    field : str
        Field that holds the question.
    revision : str or None
        Commit of the dataset on the Hub; None takes its newest.
    licence, url : str
        Terms of the questions, and their home page.
    first_public : datetime.date
        Day from which anyone could read the questions: a model trained before it can't have seen them.
    first_public_source : str
        Where that day is taken from.
    twins : str
        Family of twins that suits the questions.
    """

    name: str
    title: str
    source: str = ""
    config: str | None = None
    split: str = ""
    file: str = ""
    field: str
    revision: str | None = None
    licence: str
    url: str = ""
    first_public: datetime.date
    first_public_source: str
    twins: str


@cache
def builtin_cards() -> Mapping[str, Card]:
    """Every built-in benchmark's card by name, in alphabetical order.

    Examples
    --------
    >>> builtin_cards()["gsm8k"].first_public
    datetime.date(2021, 10, 27)
    """
    files = sorted((file for file in packaged_data().iterdir() if file.name.endswith(".toml")), key=_name)
    return MappingProxyType({_name(file): Card(name=_name(file), **_content(file)) for file in files})


def _name(file: Traversable) -> str:
    return file.name.removesuffix(".toml")


def _content(file: Traversable) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
