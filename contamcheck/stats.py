"""The shared statistics: twin pairing, reference subtraction, flags, and the tests of their number.

Arrays in, frozen results out; nothing here knows a model, a benchmark or a text. Scores follow one sign: higher
means more likely seen in training. Two designs are covered: each question against its own twin (sign flips), and
benchmark questions against unrelated control questions (label permutations).
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest, norm, rankdata

Status = Literal["pass", "warn", "fail"]
Floats = NDArray[np.float64]

EXPECTED_RATE = 0.05  # share of a clean model's questions that the threshold lets through
FAIL_P = 0.001
FAIL_RATE = 0.10
WARN_P = 0.05
PLAIN_P = 0.01
N_DRAWS = 10_000
# A reference whose own preference is within this much of chance leaves the slope free.
NEUTRAL_Z = 2.0
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
    fail_rate : float
        Share that must be flagged for the test to fail; 0 where `p_value` isn't that of the number flagged.
    slope : float
        How much of the reference was subtracted.
    plain_p_value : float or None
        The p-value with the whole reference subtracted, where `p_value` isn't that: it must be below 0.01 too.
    """

    n: int
    flagged: int
    threshold: float
    p_value: float
    n_draws: int
    interval: tuple[float, float]
    fail_rate: float = FAIL_RATE
    slope: float = 1.0
    plain_p_value: float | None = None

    @property
    def rate(self) -> float:
        """Share of questions flagged, in [0, 1]."""
        return self.flagged / self.n

    @property
    def status(self) -> Status:
        """``fail``, ``warn`` or ``pass``; see `status_of`."""
        status = status_of(self.p_value, self.rate, self.fail_rate)
        doubtful = self.plain_p_value is not None and self.plain_p_value >= PLAIN_P
        return "warn" if status == "fail" and doubtful else status


def status_of(p_value: float, rate: float, fail_rate: float = FAIL_RATE) -> Status:
    """Decide one test.

    Parameters
    ----------
    p_value : float
        Of the number flagged.
    rate : float
        Share flagged.
    fail_rate : float
        Share that must be flagged for the test to fail.

    Returns
    -------
    {"pass", "warn", "fail"}
        ``fail`` when p < 0.001 and at least `fail_rate` are flagged, else ``warn`` when p < 0.05, else ``pass``.

    Examples
    --------
    >>> status_of(0.0004, 0.18), status_of(0.0004, 0.08), status_of(0.2, 0.18)
    ('fail', 'warn', 'pass')
    """
    if p_value < FAIL_P and rate >= fail_rate:
        return "fail"
    return "warn" if p_value < WARN_P else "pass"


@dataclass(frozen=True, slots=True)
class Preference:
    """How much something prefers the originals to their twins.

    Parameters
    ----------
    n : int
        Questions whose variants differ in score.
    mean_rank : float
        Mean rank of the original among its question's variants, in [0, 1]; chance gives 0.5.
    z : float
        Sum of the normal scores of the ranks over its standard deviation under the null hypothesis.
    p_value : float
        One-sided: of a preference for the originals that is as large.
    """

    n: int
    mean_rank: float
    z: float
    p_value: float


def preference(scores: ArrayLike, rng: np.random.Generator, n_draws: int = N_DRAWS) -> Preference:
    """Test whether originals score higher than their twins.

    Null hypothesis: given a question's variants, which of them is the original is uniform. Each draw takes one variant
    of each question at random. The statistic is the sum of the normal scores of the within-question ranks.

    Parameters
    ----------
    scores : float array, shape (n_questions, n_variants)
        The original's first. NaN leaves a variant out, and with the original's its question; so do rows in which all
        are equal.
    rng : numpy.random.Generator
        Gives the draws.
    n_draws : int
        Number of draws.

    Returns
    -------
    Preference
        Its p-value is (1 + hits) / (1 + draws).

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(400, 9))
    >>> scores[:, 0] += 0.5
    >>> found = preference(scores, np.random.default_rng(0))
    >>> found.z > 5, found.p_value < 0.001
    (True, True)
    """
    rows = [row[np.isfinite(row)] for row in np.asarray(scores, np.float64) if np.isfinite(row[0])]
    rows = [row for row in rows if (row != row[0]).any()]
    if not rows:
        return Preference(0, 0.5, 0.0, 1.0)
    widths = np.array([len(row) for row in rows])
    padded = np.zeros((len(rows), widths.max()))
    for at, row in enumerate(rows):
        padded[at, : len(row)] = normal_scores(row)
    deviation = np.sqrt(((padded**2).sum(axis=1) / widths).sum())
    observed = padded[:, 0].sum() / deviation
    hits = 0
    for size in _chunk_sizes(n_draws, len(rows)):
        drawn = (rng.random((size, len(rows))) * widths).astype(np.int64)
        hits += int((_picked_sums(padded, drawn) / deviation >= observed - 1e-9).sum())
    return Preference(
        len(rows),
        float(np.mean([(rankdata(row)[0] - 1) / (len(row) - 1) for row in rows])),
        float(observed),
        (1 + hits) / (1 + n_draws),
    )


def rank_test(
    target: ArrayLike, reference: ArrayLike, rng: np.random.Generator, n_draws: int = N_DRAWS
) -> tuple[FlagTest, Floats]:
    """Test whether questions rank higher among their twins than chance, beyond the reference.

    Null hypothesis: given a question's variants, which of them is the original is uniform. The residuals are
    target - b reference; the statistic is the sum of the normal scores of their within-question ranks. b is the pooled
    within-question slope, which twins that nobody has seen give for nothing; where the reference itself prefers the
    originals or their twins (its own z beyond 2), b = 1, which takes all of that preference off. Each draw takes one
    variant of each question at random and makes that choice anew, by its own z. A noisy reference has a small slope,
    which leaves a taste that both models share in the target: so the test fails only where p < 0.01 with b = 1 as well.

    Parameters
    ----------
    target, reference : float array, shape (n, n_variants), n >= 1
        Scores, the original's first, finite; a reference of zeros subtracts nothing.
    rng : numpy.random.Generator
        Gives the draws.
    n_draws : int
        Number of draws.

    Returns
    -------
    FlagTest
        `p_value` is that of the ranks. Flagged is as in `sign_flip_test`, by the differences.
    float64 array, shape (n, n_variants)
        Residuals.

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(2, 300, 9))
    >>> scores[0, :, 0] += 0.5
    >>> test, residuals = rank_test(*scores, np.random.default_rng(0))
    >>> test.status, residuals.shape
    ('fail', (300, 9))
    """
    ours, theirs = np.asarray(target, np.float64), np.asarray(reference, np.float64)
    slopes = (within_slope(ours, theirs), 1.0)
    choices = [np.round(ours - slope * theirs, 9) for slope in slopes]
    normal = normal_scores(np.stack([*choices, np.round(theirs, 9)]))
    variances = (normal**2).mean(axis=2).sum(axis=1)
    # Where all variants are equal there is nothing to prefer.
    deviations = np.sqrt(np.where(variances > 0, variances, 1.0))[:, None]

    def statistics(drawn: NDArray[np.int64]) -> Floats:
        learned, plain, own = np.stack([_picked_sums(scores, drawn) for scores in normal]) / deviations
        return np.stack([np.where(np.abs(own) <= NEUTRAL_Z, learned, plain), plain, own])

    observed = statistics(np.zeros((1, len(ours)), np.int64))
    hits = np.zeros(2, np.int64)
    for size in _chunk_sizes(n_draws, len(ours)):
        drawn = statistics(rng.integers(ours.shape[1], size=(size, len(ours))))
        hits += (drawn[:2] >= observed[:2] - 1e-9).sum(axis=1)
    chosen = 0 if abs(observed[2, 0]) <= NEUTRAL_Z else 1
    differences = paired_differences(choices[chosen][:, 0], choices[chosen][:, 1:].mean(axis=1))
    threshold = mirrored_threshold(differences)
    result = _result(len(ours), int(count_above(differences, threshold)), float(threshold), int(hits[0]), n_draws)
    plain_p_value = float((1 + hits[1]) / (1 + n_draws))
    return replace(result, fail_rate=0.0, slope=slopes[chosen], plain_p_value=plain_p_value), choices[chosen]


def within_slope(target: ArrayLike, reference: ArrayLike) -> float:
    """Pooled within-question slope of the target's scores on the reference's.

    Parameters
    ----------
    target, reference : float array, shape (n, n_variants)
        Scores. Which variant is the original doesn't matter.

    Returns
    -------
    float
        1 where the reference doesn't tell variants apart.

    Examples
    --------
    >>> within_slope([[1.0, 3.0], [5.0, 5.0]], [[0.0, 4.0], [1.0, 1.0]])
    0.5
    """
    ours, theirs = (
        values - values.mean(axis=1, keepdims=True) for values in (np.asarray(target), np.asarray(reference))
    )
    spread = float((theirs**2).sum())
    return float((ours * theirs).sum()) / spread if spread > 0 else 1.0


def _picked_sums(scores: Floats, picked: NDArray[np.int64]) -> Floats:
    """For each draw, the sum over questions of the picked variants' scores."""
    sums: Floats = scores[np.arange(len(scores)), picked].sum(axis=1)
    return sums


def normal_scores(values: Floats) -> Floats:
    """Normal quantiles of the ranks r / (n + 1); equal values share the mean of theirs.

    Parameters
    ----------
    values : float array, shape (..., n)
        Any values; ranked along the last axis.

    Returns
    -------
    float64 array, shape (..., n)
        They add up to 0.

    Examples
    --------
    >>> normal_scores(np.array([3.0, 1.0, 1.0])).round(2).tolist()
    [0.67, -0.34, -0.34]
    """
    n = values.shape[-1]
    cumulated = np.concatenate([[0.0], np.cumsum(norm.ppf(np.arange(1, n + 1) / (n + 1)))])
    low, high = (rankdata(values, method=method, axis=-1).astype(np.int64) for method in ("min", "max"))
    scores: Floats = (cumulated[high] - cumulated[low - 1]) / (high - low + 1)
    return scores


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
