"""Which families make a question's twins, and the twins themselves."""

import zlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from contamcheck.errors import UsageError
from contamcheck.twins.base import Family, Slot, apart
from contamcheck.twins.details import Details
from contamcheck.twins.draws import Variant, draw
from contamcheck.twins.names import Names
from contamcheck.twins.numbers import Numbers

FAMILIES: dict[str, Callable[[Sequence[str]], Family]] = {"names": Names, "details": Details, "numbers": Numbers}
# What can be asked for, each a list of attempts: the first whose families find something to swap makes the twins.
CHOICES: dict[str, tuple[tuple[str, ...], ...]] = {
    "auto": (("names",), ("numbers",), ("details",)),
    "names": (("names",),),
    "details": (("details",),),
    "numbers": (("numbers",),),
    "all": (("names", "details", "numbers"),),
}
N_TWINS = 8
# Values of all slots of a question: beyond it is a table of numbers, and its draws would take minutes.
MOST_VALUES = 4_000

_Form = tuple[int, tuple[str, ...]]


def attempts_of(choice: str) -> tuple[tuple[str, ...], ...]:
    """Look a choice up.

    Parameters
    ----------
    choice : str
        A key of `CHOICES`.

    Returns
    -------
    tuple of tuple of str
        Families of each attempt.

    Raises
    ------
    UsageError
        When there is no such choice.
    """
    if choice not in CHOICES:
        raise UsageError(f"there are no twins of the kind {choice!r}; choose from {', '.join(CHOICES)}")
    return CHOICES[choice]


@dataclass(frozen=True, slots=True)
class Twinned:
    """A question with its twins.

    Parameters
    ----------
    variants : tuple of Variant
        The question, then its twins: exchangeable; repeats and copies of the question are kept.
    families : tuple of str
        Families that were asked for details; not each need have found some.
    """

    variants: tuple[Variant, ...]
    families: tuple[str, ...]

    @property
    def n_distinct(self) -> int:
        """How many different twins there are, copies of the question not counted."""
        texts = [variant.text for variant in self.variants]
        return len(set(texts) - {texts[0]})


class TwinMaker:
    """Makes the twins of one benchmark's questions.

    Parameters
    ----------
    questions : sequence of str
        The whole benchmark.
    choice : str
        A key of `CHOICES`: ``auto`` takes names where a question has any, else numbers, else details: in the order
        in which clean models notice them (see experiments/results/twins.md); ``all`` swaps everything at once.
    n : int
        Twins a question.
    seed : int
        Decides the draws.

    Raises
    ------
    UsageError
        When there is no such choice.
    """

    def __init__(self, questions: Sequence[str], choice: str = "auto", n: int = N_TWINS, seed: int = 0) -> None:
        self._attempts = attempts_of(choice)
        wanted = {name for families in self._attempts for name in families}
        self._families = {name: FAMILIES[name](questions) for name in sorted(wanted)}
        self._originals = set(questions)
        self._n = n
        self._seed = seed

    def together(self) -> Self:
        """Get a maker of one twin a question, in which everything that this one may swap changes at once."""
        if len(self._attempts) == 1:
            return self
        maker = copy(self)
        maker._attempts, maker._n = CHOICES["all"], 1
        return maker

    def of(self, question: str) -> Twinned | None:
        """Draw a question's twins.

        Parameters
        ----------
        question : str
            The original. Its draws depend on the seed and its own text, not on where it stands.

        Returns
        -------
        Twinned or None
            None where no draw differs from the question.
        """
        rng = np.random.default_rng([self._seed, zlib.crc32(question.encode())])
        for families in self._attempts:
            slots = self.slots(question, families)
            if sum(len(slot.pool.values) for slot in slots) > MOST_VALUES:
                continue
            allowed = partial(self._allowed, question, families, _form(slots))
            variants = tuple(draw(question, slots, self._n, rng, allowed))
            twinned = Twinned(variants, families)
            if len(variants) > self._n and twinned.n_distinct:
                return twinned
        return None

    def _allowed(self, question: str, families: Sequence[str], form: list[_Form], text: str) -> bool:
        # A model that saw the benchmark has seen a twin that is another of its questions: it would hide the leak.
        if text == question or text in self._originals:
            return text == question
        # Whoever knows the rules could tell a text with other slots from the question.
        return _form(self.slots(text, families)) == form

    def slots(self, question: str, families: Sequence[str]) -> list[Slot]:
        """Everything in a question that these families can swap; where two overlap, the one named first wins."""
        slots: list[Slot] = []
        for name in families:
            slots = apart(slots, self._families[name].slots(question))
        return slots


def _form(slots: Sequence[Slot]) -> list[_Form]:
    """What slots must have in common with those of a twin."""
    return [(len(slot.spans), slot.pool.values) for slot in slots]
