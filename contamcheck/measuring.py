"""Score a check's texts with one model after the other, and drop what doesn't fit into any of them."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import numpy as np

from contamcheck.errors import TextTooLongError
from contamcheck.methods.base import Continuation, Measurement, Method
from contamcheck.runners.base import Runner
from contamcheck.selection import Selection, check_enough


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


class Texts:
    """Questions and controls of one check.

    A text that is too long for the target or the reference is dropped for both, a question together with its twin.

    Parameters
    ----------
    selection : Selection
        Questions and their controls.

    Attributes
    ----------
    fits : bool array, shape (n_questions + n_controls,)
        Which texts no model has found too long; questions first.
    """

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._texts = (*selection.questions, *selection.controls)
        self.fits = np.ones(len(self._texts), bool)

    @property
    def question_fits(self) -> np.ndarray:
        """Which questions fit, shape (n_questions,)."""
        return self.fits[: len(self._selection.questions)]

    @property
    def control_fits(self) -> np.ndarray:
        """Which twins or control questions fit, shape (n_controls,)."""
        return self.fits[len(self._selection.questions) :]

    def measure(self, method: Method, runner: Runner, watcher: Watcher) -> Measurement:
        """Score all texts that fit with one model.

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
        Measurement
            One score per text, questions first; NaN for those that don't fit.

        Raises
        ------
        BenchmarkError
            When fewer than 20 questions or controls fit.
        """
        while True:
            self._check_enough(runner)
            asked = np.flatnonzero(self.fits)
            try:
                with watcher.task(f"{method.name}: {runner.model}", len(asked)) as advance:
                    runner.progress = advance
                    answer = method.measure(runner, [self._texts[index] for index in asked])
            except TextTooLongError as error:
                self._drop(asked[list(error.lengths)])
            else:
                return self._spread(answer, asked)

    def _drop(self, too_long: np.ndarray) -> None:
        self.fits[too_long] = False
        if self._selection.paired:
            both = self.question_fits & self.control_fits
            self.fits = np.concatenate([both, both])

    def _check_enough(self, runner: Runner) -> None:
        need = f"the others are longer than the {runner.max_tokens} tokens that {runner.model} takes"
        check_enough(int(self.question_fits.sum()), "questions", need)
        check_enough(int(self.control_fits.sum()), "control questions", need)

    def _spread(self, answer: Measurement, asked: np.ndarray) -> Measurement:
        scores = np.full(len(self._texts), np.nan)
        scores[asked] = answer.scores
        continuations: list[Continuation | None] = [None] * len(self._texts)
        for index, continuation in zip(asked, answer.continuations, strict=False):
            continuations[index] = continuation
        return Measurement(scores, tuple(continuations))
