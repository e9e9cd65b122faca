"""What every test is: a score for each text, where higher means more familiar to the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from contamcheck.runners.base import Runner


@dataclass(frozen=True, slots=True)
class Continuation:
    """What a model wrote where a text goes on.

    Parameters
    ----------
    prefix : str
        First half of the text.
    expected : str
        The text's own second half, white space kept.
    written : str
        The model's.
    """

    prefix: str
    expected: str
    written: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """One model's scores of some texts.

    Parameters
    ----------
    scores : float64 array, shape (n,)
        Higher means more familiar; NaN where this test can't score a text.
    continuations : tuple of Continuation or None
        One per text; empty for tests that generate nothing.
    """

    scores: NDArray[np.float64]
    continuations: tuple[Continuation | None, ...] = ()


class Method(Protocol):
    """One test.

    Attributes
    ----------
    name : str
        As in ``--tests``.
    uses_reference : bool
        Whether a reference model's scores are subtracted.
    meaning : str
        One line for people: what a flagged question shows.
    unscorable : str
        One clause for people: which texts get NaN.
    """

    name: str
    uses_reference: bool
    meaning: str
    unscorable: str

    def measure(self, runner: Runner, texts: Sequence[str]) -> Measurement:
        """Score each text with one model.

        Parameters
        ----------
        runner : Runner
            The model.
        texts : sequence of str
            Scored independently of one another.

        Returns
        -------
        Measurement
            One score per text.

        Raises
        ------
        TextTooLongError
            With indices into `texts`, before anything is scored.
        """
