"""Score a check's texts with one model after the other, and drop what doesn't fit into any of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from contamcheck.errors import TextTooLongError
from contamcheck.methods.base import Continuation, Method
from contamcheck.runners.base import Runner
from contamcheck.selection import Selection, check_enough
from contamcheck.stats import Floats
from contamcheck.twins.draws import Variant


class Watcher(Protocol):
    """Follows a check while it runs."""

    def task(self, description: str, total: int | None) -> AbstractContextManager[Callable[[int], None]]:
        """Announce a step of `total` texts (None: of unknown length); what it gives is called with each advance."""

    def warn(self, sentence: str) -> None:
        """Say something that the reader must know."""


class Silent:
    """A watcher that says nothing."""

    def task(self, description: str, total: int | None) -> AbstractContextManager[Callable[[int], None]]:
        """Do nothing."""
        return nullcontext(lambda finished: None)

    def warn(self, sentence: str) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Columns:
    """One model's answers in one test.

    Parameters
    ----------
    scores : tuple of float64 array
        Of the questions, then of their twins, one column each, or of the control questions. NaN where a text doesn't
        fit into a model, or this test can't score it.
    continuations : tuple of Continuation or None
        What the model wrote for each question; None where nothing was generated.
    lengths : tuple of float64 array
        Numbers of tokens, in the shape of `scores`; NaN where the test doesn't tell.
    """

    scores: tuple[Floats, ...]
    continuations: tuple[Continuation | None, ...]
    lengths: tuple[Floats, ...]


class Texts:
    """Questions and controls of one check.

    A text that is too long for the target or the reference is dropped for both, a question together with its twins.

    Parameters
    ----------
    selection : Selection
        Questions and their controls.

    Attributes
    ----------
    question_fits, control_fits : bool array, shapes (n_questions,) and (n_controls,)
        Which texts no model has found too long; the same array where the controls are twins.
    """

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self.question_fits = np.ones(len(selection.questions), bool)
        self.control_fits = self.question_fits if selection.paired else np.ones(len(selection.controls), bool)

    def measure(self, method: Method, runner: Runner, watcher: Watcher) -> Columns:
        """Score all texts that fit with one model; equal texts once.

        Parameters
        ----------
        method : Method
            The test.
        runner : Runner
            The model.
        watcher : Watcher
            Follows progress.

        Returns
        -------
        Columns
            Its answers.

        Raises
        ------
        BenchmarkError
            When fewer than 20 questions or controls fit.
        """
        columns = self._selection.columns(method.twins)
        fits = [self.question_fits, *(self.control_fits for _ in columns[1:])]
        while True:
            self._check_enough(runner)
            asked = dict.fromkeys(
                variant for column, fit in zip(columns, fits, strict=True) for variant in compress(column, fit)
            )
            variants = list(asked)
            try:
                with watcher.task(f"{method.name}: {runner.model}", len(variants)) as advance:
                    runner.progress = advance
                    answer = method.measure(runner, variants)
            except TextTooLongError as error:
                too_long = {variants[index] for index in error.lengths}
                for column, fit in zip(columns, fits, strict=True):
                    fit &= [variant not in too_long for variant in column]
            else:
                break
        places = {variant: at for at, variant in enumerate(variants)}
        lengths = np.array(answer.lengths or [np.nan] * len(variants), np.float64)
        return Columns(
            tuple(_spread(answer.scores, column, fit, places) for column, fit in zip(columns, fits, strict=True)),
            tuple(
                answer.continuations[places[variant]] if answer.continuations and fit else None
                for variant, fit in zip(columns[0], fits[0], strict=True)
            ),
            tuple(_spread(lengths, column, fit, places) for column, fit in zip(columns, fits, strict=True)),
        )

    def _check_enough(self, runner: Runner) -> None:
        need = f"the others are longer than the {runner.max_tokens} tokens that {runner.model} takes"
        check_enough(int(self.question_fits.sum()), "questions", need)
        check_enough(int(self.control_fits.sum()), "control questions", need)


def _spread(
    values: Floats, column: Sequence[Variant], fits: NDArray[np.bool_], places: Mapping[Variant, int]
) -> Floats:
    spread = [values[places[variant]] if fit else np.nan for variant, fit in zip(column, fits, strict=True)]
    return np.array(spread, np.float64)
