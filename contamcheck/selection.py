"""Which questions are tested, and against what: a seeded sample, each with its twin, or with control questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from contamcheck.errors import BenchmarkError
from contamcheck.methods.base import TwinsWanted
from contamcheck.methods.completion import MIN_WORDS
from contamcheck.scripts import words
from contamcheck.twins.draws import Variant
from contamcheck.twins.maker import TwinMaker, Twinned
from contamcheck.twins.numerals import numeral_places

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
        The first twin of each in the same order, or control questions.
    twinned : tuple of Twinned
        Each question with all its twins, in the same order; empty where control questions take their place.
    together : tuple of Twinned
        The same with all details swapped at once, for the tests that want this.
    too_short, without_twin : int
        Questions that can't be tested: of the whole benchmark; of those that the sample passed over.
    """

    questions: tuple[str, ...]
    controls: tuple[str, ...]
    twinned: tuple[Twinned, ...]
    together: tuple[Twinned, ...]
    too_short: int
    without_twin: int

    @property
    def paired(self) -> bool:
        """Whether each question is compared with twins of its own."""
        return bool(self.twinned)

    def columns(self, twins: TwinsWanted) -> list[list[Variant]]:
        """Texts of a test: the questions, then as many columns of twins in the same order, or the control questions.

        Parameters
        ----------
        twins : {"first", "every", "together"}
            As in `contamcheck.methods.base.Method`.
        """
        if not self.paired:
            return [
                [Variant(text, numeral_places(text)) for text in texts] for texts in (self.questions, self.controls)
            ]
        rows = [one.variants for one in (self.together if twins == "together" else self.twinned)]
        return [list(column) for column in zip(*(row if twins == "every" else row[:2] for row in rows), strict=True)]


def select_twins(questions: Sequence[str], n: int, seed: int, maker: TwinMaker) -> Selection:
    """Sample questions and give each its twins.

    Parameters
    ----------
    questions : sequence of str
        The whole benchmark.
    n : int
        How many to sample; all where there are fewer.
    seed : int
        Decides the sample.
    maker : TwinMaker
        Makes the twins, and those with all details swapped at once.

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
    found, without = _twinned(long_enough, n, seed, maker)
    check_enough(
        len(found),
        "questions",
        "each needs 8 words and a detail that can be swapped without making another question; pass --control FILE "
        "for others",
    )
    order = sorted(found)
    together = maker.together()
    return Selection(
        tuple(long_enough[index] for index in order),
        tuple(found[index].variants[1].text for index in order),
        tuple(found[index] for index in order),
        tuple(together.of(long_enough[index]) or found[index] for index in order),
        too_short=len(questions) - len(long_enough),
        without_twin=without,
    )


def sample_twins(questions: Sequence[str], n: int, seed: int, maker: TwinMaker) -> list[Twinned]:
    """Sample questions that have twins, whatever their length and number: for the eye.

    Parameters
    ----------
    questions, n, seed, maker
        As in `select_twins`.

    Returns
    -------
    list of Twinned
        In the order of the benchmark.

    Raises
    ------
    BenchmarkError
        When no question has a twin.
    """
    found, _ = _twinned(questions, n, seed, maker)
    if not found:
        raise BenchmarkError("no question has a detail that can be swapped")
    return [found[index] for index in sorted(found)]


def _twinned(questions: Sequence[str], n: int, seed: int, maker: TwinMaker) -> tuple[dict[int, Twinned], int]:
    """The first `n` questions in a random order that have twins, by index; and how many were passed over."""
    found: dict[int, Twinned] = {}
    without = 0
    for index in np.random.default_rng(seed).permutation(len(questions)):
        if len(found) == n:
            break
        if twinned := maker.of(questions[index]):
            found[int(index)] = twinned
        else:
            without += 1
    return found, without


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
        twinned=(),
        together=(),
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
