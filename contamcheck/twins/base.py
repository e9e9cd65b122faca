"""What every family of twins is."""

import zlib
from collections.abc import Sequence
from typing import Protocol

import numpy as np

TRIES = 20


class Family(Protocol):
    """Makes twins of questions; built from the whole benchmark, whose own details it swaps in.

    Attributes
    ----------
    name : str
        What the details are, such as ``numbers``.
    """

    name: str

    def twin(self, question: str, rng: np.random.Generator) -> str | None:
        """Draw a twin.

        Parameters
        ----------
        question : str
            The original.
        rng : numpy.random.Generator
            Gives the draw.

        Returns
        -------
        str or None
            A text that differs from the original in its details alone; None where it has none to swap.
        """


def twins_of(questions: Sequence[str], family: Family, seed: int) -> list[str | None]:
    """One twin for each question, none of which is a question itself.

    Parameters
    ----------
    questions : sequence of str
        The originals.
    family : Family
        Makes them.
    seed : int
        A question's draws depend on this and its own text, not on where it stands.

    Returns
    -------
    list of str or None
        In the order of `questions`; None where `TRIES` draws give no twin.
    """
    originals = set(questions)
    return [_twin(question, family, originals, seed) for question in questions]


def _twin(question: str, family: Family, originals: set[str], seed: int) -> str | None:
    rng = np.random.default_rng([seed, zlib.crc32(question.encode())])
    for _ in range(TRIES):
        twin = family.twin(question, rng)
        # A model that saw the benchmark has seen such a twin as well: it would hide the leak.
        if twin not in originals:
            return twin
    return None
