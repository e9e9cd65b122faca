"""What a check returns: frozen records, ready for any report."""

from dataclasses import dataclass
from typing import Literal

from contamcheck.methods.base import Continuation
from contamcheck.runners.base import Numerics
from contamcheck.stats import FlagTest, Preference

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
    continuation : Continuation or None
        What the model wrote; None where nothing was generated.
    """

    question: str
    score: float
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
class Stratum:
    """Questions whose twins were made by the same families, and whether these twins can be told from them.

    Parameters
    ----------
    families : tuple of str
        Kinds of details that were swapped.
    distinct : tuple of int
        For each of the questions, how many different twins it has.
    self_check : Preference
        Whether a classifier without a model puts the originals first.
    reference : Preference or None
        Whether the reference's log-likelihood does; None without a reference.
    other_tokens : float or None
        Share of the twins that the reference's tokenizer cuts into another number of tokens than their question.
    reference_same_tokens : Preference or None
        The reference's preference among the variants of the same number of tokens alone.
    """

    families: tuple[str, ...]
    distinct: tuple[int, ...]
    self_check: Preference
    reference: Preference | None = None
    other_tokens: float | None = None
    reference_same_tokens: Preference | None = None


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
        No detail to swap.
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
    n, field, control, tests, twins, twins_per_question, reference, runner, runner_args
        As in `contamcheck.audit`.
    batch_size, device, seed, encoding, trust_remote_code
        As in `contamcheck.audit`.
    """

    n: int
    field: str | None
    control: str | None
    tests: tuple[str, ...]
    twins: str
    twins_per_question: int
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
        Their first twins, one each in the same order; or the control questions.
    twins : tuple of tuple of str
        All twins of each; empty with control questions.
    strata : tuple of Stratum
        The questions by how their twins were made.
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
    twins: tuple[tuple[str, ...], ...]
    strata: tuple[Stratum, ...]
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
        return "twins" if self.paired else "control questions"

    @property
    def skipped(self) -> int:
        """How many questions were left out in all."""
        return self.left.duplicates + self.left.too_short + self.left.without_twin + self.left.too_long
