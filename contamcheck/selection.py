"""Which questions are tested, and against what: a seeded sample, each with its twin, or with control questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from contamcheck.errors import BenchmarkError
from contamcheck.methods.completion import MIN_WORDS
from contamcheck.scripts import words
from contamcheck.twins.base import twins_of
from contamcheck.twins.numbers import NumberTwins

FEWEST = 20

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Selection:
    """Questions to test.

    Parameters
    ----------
    questions : tuple of str
        The sample.
    controls : tuple of str
        Twins in the same order, or control questions.
    paired : bool
        Whether they are twins.
    too_short, without_twin : int
        Questions that can't be tested.
    """

    questions: tuple[str, ...]
    controls: tuple[str, ...]
    paired: bool
    too_short: int
    without_twin: int


def select_twins(questions: Sequence[str], n: int, seed: int) -> Selection:
    """Sample questions and give each its twin.

    Parameters
    ----------
    questions : sequence of str
        The whole benchmark.
    n : int
        How many to sample; all where there are fewer.
    seed : int
        Decides the sample and the twins.

    Returns
    -------
    Selection
        Paired.

    Raises
    ------
    BenchmarkError
        When fewer than 20 questions have a twin.
    """
    long_enough = _long_enough(questions)
    twins = twins_of(long_enough, NumberTwins(questions), seed)
    pairs = [(question, twin) for question, twin in zip(long_enough, twins, strict=True) if twin is not None]
    check_enough(
        len(pairs),
        "questions",
        "each needs 8 words and a number that can be swapped without making another question; pass --control FILE for "
        "others",
    )
    sampled = _sample(pairs, n, seed)
    return Selection(
        tuple(question for question, _ in sampled),
        tuple(twin for _, twin in sampled),
        paired=True,
        too_short=len(questions) - len(long_enough),
        without_twin=len(long_enough) - len(pairs),
    )


def select_controls(questions: Sequence[str], controls: Sequence[str], n: int, seed: int) -> Selection:
    """Sample questions, and control questions that the model can't have seen.

    Parameters
    ----------
    questions, controls : sequence of str
        The whole benchmark, and all control questions.
    n : int
        How many to sample of each.
    seed : int
        Decides both samples.

    Returns
    -------
    Selection
        Not paired.

    Raises
    ------
    BenchmarkError
        When there are fewer than 20 of either.
    """
    usable, usable_controls = _long_enough(questions), _long_enough(controls)
    check_enough(len(usable), "questions", "each needs 8 words")
    check_enough(len(usable_controls), "control questions", "each needs 8 words")
    return Selection(
        tuple(_sample(usable, n, seed)),
        tuple(_sample(usable_controls, n, seed)),
        paired=False,
        too_short=len(questions) - len(usable),
        without_twin=0,
    )


def check_enough(count: int, what: str, need: str) -> None:
    """Raise BenchmarkError where `count` is too small for any test to say something."""
    if count < FEWEST:
        raise BenchmarkError(f"only {count} usable {what}, at least {FEWEST} are needed ({need})")


def _long_enough(questions: Sequence[str]) -> list[str]:
    return [question for question in questions if len(words(question)) >= MIN_WORDS]


def _sample(items: Sequence[T], n: int, seed: int) -> list[T]:
    picked = np.random.default_rng(seed).choice(len(items), size=min(n, len(items)), replace=False)
    return [items[index] for index in sorted(picked)]
