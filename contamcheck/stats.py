"""The shared statistics: twin pairing, reference subtraction, flags, and the tests of their number.

Arrays in, frozen results out; nothing here knows a model, a benchmark or a text. Scores follow one sign: higher
means more likely seen in training. Two designs are covered: each question against its own twin (sign flips), and
benchmark questions against unrelated control questions (label permutations).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

Status = Literal["pass", "warn", "fail"]
Floats = NDArray[np.float64]

EXPECTED_RATE = 0.05  # share of a clean model's questions that the threshold lets through
FAIL_P = 0.001
FAIL_RATE = 0.10
WARN_P = 0.05
N_DRAWS = 10_000
# Draws are made this many numbers at a time: about 64 MB with the copies that a quantile makes.
CHUNK = 2_000_000


@dataclass(frozen=True, slots=True)
class FlagTest:
    """How many questions are flagged, and how surprising that is for a clean model.

    Parameters
    ----------
    n : int
        Questions tested.
    flagged : int
        Questions whose score lies strictly above `threshold`.
    threshold : float
        95% quantile of what chance gives: the mirrored differences, or the control questions' scores.
    p_value : float
        (1 + hits) / (1 + draws), where a hit is a draw that flags at least as many; never 0.
    n_draws : int
        How many draws gave `p_value`.
    interval : (float, float)
        95% Wilson interval of the share flagged.
    """

    n: int
    flagged: int
    threshold: float
    p_value: float
    n_draws: int
    interval: tuple[float, float]

    @property
    def rate(self) -> float:
        """Share of questions flagged, in [0, 1]."""
        return self.flagged / self.n

    @property
    def status(self) -> Status:
        """``fail``, ``warn`` or ``pass``; see `status_of`."""
        return status_of(self.p_value, self.rate)


def status_of(p_value: float, rate: float) -> Status:
    """Decide one test.

    Parameters
    ----------
    p_value : float
        Of the number flagged.
    rate : float
        Share flagged.

    Returns
    -------
    {"pass", "warn", "fail"}
        ``fail`` when p < 0.001 and at least 10% are flagged, else ``warn`` when p < 0.05, else ``pass``.

    Examples
    --------
    >>> status_of(0.0004, 0.18), status_of(0.0004, 0.08), status_of(0.2, 0.18)
    ('fail', 'warn', 'pass')
    """
    if p_value < FAIL_P and rate >= FAIL_RATE:
        return "fail"
    return "warn" if p_value < WARN_P else "pass"


def min_k_prob(logprobs: ArrayLike, ratio: float = 0.2) -> float:
    """Mean of the lowest `ratio` share of token log-probabilities (Min-K% Prob).

    Parameters
    ----------
    logprobs : float array, shape (n_tokens,)
        In nats.
    ratio : float in (0, 1]
        Share of tokens kept: n_tokens * ratio, rounded down, and at least one.

    Returns
    -------
    float
        In nats; NaN for a text without scored tokens.

    References
    ----------
    Shi et al. 2024, "Detecting Pretraining Data from Large Language Models", arXiv:2310.16789, section 4. The
    paper's code keeps none of a text's tokens where n_tokens * ratio is below one.

    Examples
    --------
    >>> min_k_prob([-1.0, -3.0, -2.0, -8.0], ratio=0.5)
    -5.5
    """
    lowest = np.sort(np.asarray(logprobs, np.float64))
    if not len(lowest):
        return float("nan")
    return float(lowest[: max(1, int(len(lowest) * ratio))].mean())


def subtract_reference(target: ArrayLike, reference: ArrayLike) -> Floats:
    """Scores of the target beyond those of a model that can't have seen the questions.

    Parameters
    ----------
    target, reference : float array, shape (n,)
        Scores of the same texts.

    Returns
    -------
    float64 array, shape (n,)
        target - reference.
    """
    return np.asarray(target, np.float64) - np.asarray(reference, np.float64)


def paired_differences(originals: ArrayLike, twins: ArrayLike) -> Floats:
    """How much each question's score exceeds its twin's.

    Parameters
    ----------
    originals, twins : float array, shape (n,)
        Scores; NaN where a text can't be scored.

    Returns
    -------
    float64 array, shape (n,)
        original - twin; NaN where either is. Rounded to 12 decimals, so that equal preferences which were
        computed along different ways tie, as they must in a rule that says "strictly above".

    Examples
    --------
    >>> paired_differences([1 / 3, 1.0], [0.0, 2 / 3]).tolist()
    [0.333333333333, 0.333333333333]
    """
    difference: Floats = np.round(np.asarray(originals, np.float64) - np.asarray(twins, np.float64), 12)
    return difference


def mirrored_threshold(differences: ArrayLike) -> Floats:
    """95% quantile of the mirrored differences: what chance would give on the positive side.

    Parameters
    ----------
    differences : float array, shape (..., n)
        Original minus twin.

    Returns
    -------
    float64 array, shape (...)
        Quantile of -differences along the last axis, linearly interpolated.
    """
    threshold: Floats = np.asarray(np.quantile(-np.asarray(differences, np.float64), 1 - EXPECTED_RATE, axis=-1))
    return threshold


def count_above(scores: ArrayLike, threshold: ArrayLike) -> NDArray[np.int64]:
    """How many scores lie strictly above the threshold.

    Parameters
    ----------
    scores : float array, shape (..., n)
        Scores.
    threshold : float array, shape (...)
        One for each row.

    Returns
    -------
    int64 array, shape (...)
        Number flagged.
    """
    counts: NDArray[np.int64] = (np.asarray(scores) > np.asarray(threshold)[..., None]).sum(axis=-1, dtype=np.int64)
    return counts


def sign_flip_test(differences: ArrayLike, rng: np.random.Generator, n_draws: int = N_DRAWS) -> FlagTest:
    """Test the number of questions flagged against their own twins.

    Null hypothesis: the model has no preference between original and twin, so each difference is as likely
    negative as positive. Each draw flips every sign with probability 1/2, takes its own threshold and counts anew;
    p = (1 + draws that flag at least as many) / (1 + draws).

    Parameters
    ----------
    differences : float array, shape (n,), n >= 1
        Original minus twin, finite.
    rng : numpy.random.Generator
        Gives the signs.
    n_draws : int
        Number of draws.

    Returns
    -------
    FlagTest
        The count and its p-value.

    Raises
    ------
    ValueError
        When there are no differences, or one isn't finite.

    References
    ----------
    Phipson and Smyth 2010, "Permutation p-values should never be zero", for the two ones in p.

    Examples
    --------
    >>> test = sign_flip_test(np.r_[np.full(30, 2.0), np.linspace(-1, 1, 70)], np.random.default_rng(0))
    >>> test.flagged, test.p_value < 0.001
    (35, True)
    """
    observed = _checked(differences)
    threshold = mirrored_threshold(observed)
    flagged = int(count_above(observed, threshold))
    hits = 0
    for size in _chunk_sizes(n_draws, len(observed)):
        # One double a sign: their stream doesn't depend on how the draws are cut into chunks.
        flipped = np.where(rng.random((size, len(observed))) < 0.5, -observed, observed)
        hits += int((count_above(flipped, mirrored_threshold(flipped)) >= flagged).sum())
    return _result(len(observed), flagged, float(threshold), hits, n_draws)


def label_permutation_test(
    questions: ArrayLike, controls: ArrayLike, rng: np.random.Generator, n_draws: int = N_DRAWS
) -> FlagTest:
    """Test the number of questions flagged against unrelated control questions.

    Null hypothesis: benchmark and control questions are exchangeable. The threshold is the 95% quantile of the
    controls' scores. Each draw deals the labels anew, takes its own threshold and counts anew; that covers the
    threshold's own uncertainty. p as in `sign_flip_test`.

    Parameters
    ----------
    questions : float array, shape (n,), n >= 1
        Scores of benchmark questions, finite.
    controls : float array, shape (m,), m >= 1
        Scores of control questions, finite.
    rng : numpy.random.Generator
        Deals the labels.
    n_draws : int
        Number of draws.

    Returns
    -------
    FlagTest
        The count among `questions` and its p-value.

    Raises
    ------
    ValueError
        When either is empty, or a score isn't finite.
    """
    observed, null = _checked(questions), _checked(controls)
    n = len(observed)
    threshold = np.quantile(null, 1 - EXPECTED_RATE)
    flagged = int(count_above(observed, threshold))
    pooled = np.concatenate([observed, null])
    hits = 0
    for size in _chunk_sizes(n_draws, len(pooled)):
        dealt = rng.permuted(np.broadcast_to(pooled, (size, len(pooled))), axis=1)
        thresholds = np.quantile(dealt[:, n:], 1 - EXPECTED_RATE, axis=1)
        hits += int((count_above(dealt[:, :n], thresholds) >= flagged).sum())
    return _result(n, flagged, float(threshold), hits, n_draws)


def _checked(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError("scores must be a non-empty one-dimensional array")
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")
    return values


def _chunk_sizes(n_draws: int, width: int) -> list[int]:
    most = max(1, CHUNK // width)
    return [min(most, n_draws - done) for done in range(0, n_draws, most)]


def _result(n: int, flagged: int, threshold: float, hits: int, n_draws: int) -> FlagTest:
    wilson = binomtest(flagged, n).proportion_ci(0.95, method="wilson")
    return FlagTest(n, flagged, threshold, (1 + hits) / (1 + n_draws), n_draws, (float(wilson.low), float(wilson.high)))
