"""What a check returns: frozen records, ready for any report."""

from dataclasses import dataclass
from typing import Literal

from contamcheck.methods.base import Continuation
from contamcheck.runners.base import Numerics
from contamcheck.stats import FlagTest

Verdict = Literal["likely", "possible", "none"]


@dataclass(frozen=True, slots=True)
class ModelUsed:
    """A model that took part, and all that is needed to load it again.

    Parameters
    ----------
    name : str
        As the user named it.
    revision : str or None
        Commit on the Hub; None for a local model.
    runner : str
        Name of its runner.
    n_params : int
        Number of parameters.
    max_tokens : int
        Longest text in tokens.
    numerics : Numerics
        Backend, dtype and device.
    """

    name: str
    revision: str | None
    runner: str
    n_params: int
    max_tokens: int
    numerics: Numerics


@dataclass(frozen=True, slots=True)
class Suspect:
    """One of the questions that a test finds most suspicious.

    Parameters
    ----------
    question : str
        Its text.
    score : float
        Its score in this test.
    recalled : float or None
        Share of the second half's new numbers that the model wrote; None where nothing was generated.
    continuation : Continuation or None
        What it wrote.
    """

    question: str
    score: float
    recalled: float | None = None
    continuation: Continuation | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of one model on one benchmark.

    Parameters
    ----------
    name : str
        Name of the test.
    meaning : str
        One line: what a flagged question shows.
    outcome : FlagTest
        Count, threshold, p-value, interval.
    question_mean, control_mean : float
        Mean scores of benchmark questions and of their twins or controls; the reference's subtracted where the
        test uses one.
    scores : tuple of float or None
        One per question in `Report.questions`: original minus twin, or the question's own score against control
        questions. None where this test can't score the question.
    suspects : tuple of Suspect
        The most suspicious questions, first one first.
    """

    __test__ = False  # pytest takes a class of this name for one of its own

    name: str
    meaning: str
    outcome: FlagTest
    question_mean: float
    control_mean: float
    scores: tuple[float | None, ...]
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True)
class Untested:
    """A test that couldn't be done.

    Parameters
    ----------
    name : str
        Name of the test.
    reason : str
        Why, in one sentence.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Left:
    """How many questions were left out, and why.

    Parameters
    ----------
    duplicates : int
        Equal to an earlier one.
    too_short : int
        Too few words.
    without_twin : int
        No number to swap.
    too_long : int
        Longer than the target's or the reference's context, itself or its twin.
    """

    duplicates: int
    too_short: int
    without_twin: int
    too_long: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked for; with the versions enough to repeat the check.

    Parameters
    ----------
    n, field, control, tests, reference, runner, runner_args, batch_size, device, seed, encoding, trust_remote_code
        As in `contamcheck.audit`.
    """

    n: int
    field: str | None
    control: str | None
    tests: tuple[str, ...]
    reference: str
    runner: str
    runner_args: dict[str, str]
    batch_size: int | None
    device: str | None
    seed: int
    encoding: str | None
    trust_remote_code: bool


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result of a check.

    Parameters
    ----------
    model : ModelUsed
        The target.
    reference : ModelUsed or None
        The reference; None where no test uses one, or it was switched off.
    benchmark : str
        As the user named it.
    paired : bool
        Whether each question was compared with its own twin; else with unrelated control questions.
    questions : tuple of str
        Those tested.
    controls : tuple of str
        Their twins, one each in the same order; or the control questions.
    left : Left
        What was left out.
    tests : tuple of TestResult
        The tests done.
    untested : tuple of Untested
        Those that couldn't be done.
    warnings : tuple of str
        What the reader must know; a sentence each.
    settings : Settings
        What was asked for.
    versions : dict
        Of contamcheck, Python and the libraries that compute.
    """

    model: ModelUsed
    reference: ModelUsed | None
    benchmark: str
    paired: bool
    questions: tuple[str, ...]
    controls: tuple[str, ...]
    left: Left
    tests: tuple[TestResult, ...]
    untested: tuple[Untested, ...]
    warnings: tuple[str, ...]
    settings: Settings
    versions: dict[str, str]

    @property
    def verdict(self) -> Verdict:
        """``likely`` when a test fails, ``possible`` when one warns, else ``none``."""
        statuses = {test.outcome.status for test in self.tests}
        return "likely" if "fail" in statuses else "possible" if "warn" in statuses else "none"

    @property
    def control_kind(self) -> str:
        """What the questions are compared with."""
        return "number twins" if self.paired else "control questions"

    @property
    def skipped(self) -> int:
        """How many questions were left out in all."""
        return self.left.duplicates + self.left.too_short + self.left.without_twin + self.left.too_long
