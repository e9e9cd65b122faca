"""Questions in datasets on the Hugging Face Hub, or in dataset folders; no code of theirs is ever run."""

import os
from typing import NamedTuple

from contamcheck.benchmarks.base import Rows, field_error
from contamcheck.errors import BenchmarkError, UsageError

SPELLING = "hf:dataset[:config]:split:field"


class HubColumn(NamedTuple):
    """One field of one split of a dataset: `dataset` is an id on the Hub, or a folder written as a path."""

    dataset: str
    config: str | None
    split: str
    field: str
    revision: str | None = None


def parse_column(spec: str) -> HubColumn:
    """Take `hf:dataset[:config]:split:field` apart.

    Raises
    ------
    UsageError
        If it has fewer or more parts, or an empty one.

    Examples
    --------
    >>> parse_column("hf:openai/gsm8k:main:test:question")
    HubColumn(dataset='openai/gsm8k', config='main', split='test', field='question', revision=None)
    """
    match spec.removeprefix("hf:").split(":"):
        case [str(dataset), str(split), str(field)] if dataset and split and field:
            return HubColumn(dataset, None, split, field)
        case [str(dataset), str(config), str(split), str(field)] if dataset and config and split and field:
            return HubColumn(dataset, config, split, field)
    raise UsageError(f"{spec} can't be understood: write {SPELLING}, for example hf:openai/gsm8k:main:test:question")


def rows_of_column(column: HubColumn) -> Rows:
    """Rows of a dataset, downloaded if it isn't in the cache yet.

    Raises
    ------
    BenchmarkError
        If the dataset, its configuration, split or field isn't there, or can't be reached.
    """
    if not _is_path(column.dataset) and os.path.isdir(column.dataset):
        # The datasets library would read it instead of the dataset of that name, and say nothing.
        raise BenchmarkError(
            f"the folder {column.dataset} hides the dataset of that name: run from another folder, "
            f"or write hf:./{column.dataset}:split:field to read it"
        )
    from datasets import load_dataset

    try:
        dataset = load_dataset(
            column.dataset,
            column.config,
            split=column.split,
            revision=column.revision,
            trust_remote_code=False,
        )
        names = dataset.column_names
        values = list(dataset[column.field]) if column.field in names else []
    except Exception as error:  # what it raises isn't documented, and differs between its releases
        raise _load_error(column, error) from error
    if column.field not in names:
        raise field_error(column.dataset, column.field, names)
    entries = [(number, {column.field: value}) for number, value in enumerate(values, 1)]
    return Rows(column.dataset, "row", entries)


def _is_path(dataset: str) -> bool:
    return dataset.startswith(".") or os.path.isabs(dataset)


def _load_error(column: HubColumn, error: Exception) -> BenchmarkError:
    from datasets.exceptions import DatasetBuildError

    told = error.__cause__ or error if isinstance(error, DatasetBuildError) else error
    reason = " ".join(str(told).split()).rstrip(".") or type(told).__name__
    match error:
        case FileNotFoundError():
            advice = "check name and connection, and log in with `hf auth login` if the dataset isn't public"
        case ValueError():
            advice = f"check the configuration and the split in {SPELLING}"
        case _:
            advice = "check the connection and try again, or save the questions to a file and name that"
    return BenchmarkError(f"{column.dataset} can't be loaded ({reason}): {advice}")
