"""What every test is: a score for each text, where higher means more familiar to the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from contamcheck.runners.base import Runner
from contamcheck.twins.draws import Variant

TwinsWanted = Literal["first", "every", "together"]


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
    recalled : float
        Share of the second half's new details that it wrote; NaN where there are none.
    """

    prefix: str
    expected: str
    written: str
    recalled: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """One model's scores of some texts.

    Parameters
    ----------
    scores : float64 array, shape (n,)
        Higher means more familiar; NaN where this test can't score a text.
    continuations : tuple of Continuation
        One per text; empty for tests that generate nothing.
    lengths : tuple of int
        Number of tokens of each text; empty for tests that don't need them.
    """

    scores: NDArray[np.float64]
    continuations: tuple[Continuation, ...] = ()
    lengths: tuple[int, ...] = ()


class Method(Protocol):
    """One test.

    Attributes
    ----------
    name : str
        As in ``--tests``.
    uses_reference : bool
        Whether a reference model's scores are subtracted.
    twins : {"first", "every", "together"}
        What each question is compared with: its first twin; every twin; a twin in which all details are swapped at
        once (unless the user chooses the twins).
    meaning : str
        One line for people: what a flagged question shows.
    unscorable : str
        One clause for people: which texts get NaN.
    """

    name: str
    uses_reference: bool
    twins: TwinsWanted
    meaning: str
    unscorable: str

    def measure(self, runner: Runner, variants: Sequence[Variant]) -> Measurement:
        """Score each text with one model.

        Parameters
        ----------
        runner : Runner
            The model.
        variants : sequence of Variant
            Scored independently of one another.

        Returns
        -------
        Measurement
            One score per text.

        Raises
        ------
        TextTooLongError
            With indices into `variants`, before anything is scored.
        """
