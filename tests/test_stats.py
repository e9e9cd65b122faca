"""The statistics against hand-worked numbers, straightforward loops, SciPy, and what must hold under the null."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from contamcheck import stats
from contamcheck.stats import normal_scores, preference, rank_test, within_slope


def quantile_by_hand(values: list[float], share: float) -> float:
    """Linear interpolation between order statistics, as textbooks define it (type 7)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def flags_by_hand(differences: list[float]) -> tuple[float, int]:
    threshold = quantile_by_hand([-difference for difference in differences], 0.95)
    return threshold, sum(difference > threshold for difference in differences)


def p_by_hand(differences: list[float], flagged: int, rng: np.random.Generator, n_draws: int) -> float:
    hits = 0
    for _ in range(n_draws):
        flips = rng.random(len(differences)) < 0.5
        drawn = [-value if flip else value for flip, value in zip(flips, differences, strict=True)]
        hits += flags_by_hand(drawn)[1] >= flagged
    return (1 + hits) / (1 + n_draws)


def status_by_hand(p_value: float, flagged: int, n: int) -> str:
    if p_value < 0.001 and flagged / n >= 0.10:
        return "fail"
    if p_value < 0.05:
        return "warn"
    return "pass"


def random_differences(rng: np.random.Generator) -> np.ndarray:
    n = int(rng.integers(20, 120))
    shape = rng.integers(4)
    if shape == 0:
        values = rng.normal(size=n)
    elif shape == 1:
        values = rng.standard_t(2, size=n)
    elif shape == 2:  # ties, as the completion test gives them
        values = rng.integers(-2, 3, size=n) / 2
    else:
        values = rng.exponential(size=n) - 1
    leaked = rng.random(n) < rng.choice([0, 0.1, 0.5])
    return np.asarray(values + leaked * rng.uniform(0, 3), np.float64)


def test_same_as_a_straightforward_loop_on_1000_random_arrays() -> None:
    rng = np.random.default_rng(20261201)
    statuses = set()
    for seed in range(1_000):
        differences = random_differences(rng)
        threshold, flagged = flags_by_hand(differences.tolist())
        result = stats.sign_flip_test(differences, np.random.default_rng(seed), n_draws=60)
        assert result.threshold == pytest.approx(threshold, abs=1e-12)
        assert (result.n, result.flagged) == (len(differences), flagged)
        p_value = p_by_hand(differences.tolist(), flagged, np.random.default_rng(seed), 60)
        assert result.p_value == pytest.approx(p_value)
        assert stats.status_of(p_value, result.rate) == status_by_hand(p_value, flagged, len(differences))
        # 60 draws give no p that fails, so the rule is compared on a smaller one too.
        small = p_value / 50
        assert stats.status_of(small, result.rate) == status_by_hand(small, flagged, len(differences))
        statuses |= {result.status, stats.status_of(small, result.rate)}
    assert statuses == {"fail", "warn", "pass"}


def test_p_agrees_with_scipy() -> None:
    differences = np.random.default_rng(3).normal(0.45, 1.0, size=40)
    ours = stats.sign_flip_test(differences, np.random.default_rng(0), n_draws=20_000)
    theirs = permutation_test(
        (differences,),
        lambda x, axis: stats.count_above(x, stats.mirrored_threshold(x)),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert ours.flagged == theirs.statistic
    assert 0.002 < ours.p_value < 0.5
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.015)


def test_unpaired_p_agrees_with_scipy() -> None:
    rng = np.random.default_rng(5)
    questions, controls = rng.normal(0.6, 1.0, size=50), rng.normal(size=30)
    ours = stats.label_permutation_test(questions, controls, np.random.default_rng(0), n_draws=20_000)
    theirs = permutation_test(
        (questions, controls),
        lambda x, y, axis: stats.count_above(x, np.quantile(y, 0.95, axis=-1)),
        permutation_type="independent",
        alternative="greater",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert ours.flagged == theirs.statistic
    assert 0.002 < ours.p_value < 0.5
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.015)


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(0).normal(0.1, 1.0, size=50)
    whole = stats.sign_flip_test(differences, np.random.default_rng(7), n_draws=500)
    assert 0.02 < whole.p_value < 0.9
    monkeypatch.setattr(stats, "CHUNK", 50 * 7)
    assert stats.sign_flip_test(differences, np.random.default_rng(7), n_draws=500) == whole


def test_p_is_never_zero() -> None:
    result = stats.sign_flip_test(np.full(100, 1.0) + np.arange(100), np.random.default_rng(0), n_draws=999)
    assert result.p_value == 1 / 1000
    assert result.status == "warn"  # 999 draws can't give p < 0.001
    assert stats.sign_flip_test(np.full(100, 1.0), np.random.default_rng(0)).status == "fail"


def test_no_preference_flags_nothing() -> None:
    result = stats.sign_flip_test(np.zeros(30), np.random.default_rng(0))
    assert (result.flagged, result.p_value, result.status) == (0, 1.0, "pass")


@pytest.mark.parametrize("differences", [[], [[1.0]], [1.0, float("nan")], [1.0, float("inf")]])
def test_bad_scores_are_refused(differences: list[float]) -> None:
    with pytest.raises(ValueError, match="scores must be"):
        stats.sign_flip_test(differences, np.random.default_rng(0))


def test_p_values_of_clean_models_are_not_too_small() -> None:
    rng = np.random.default_rng(11)
    p_values = np.array([
        stats.sign_flip_test(rng.standard_t(3, size=60), rng, n_draws=199).p_value for _ in range(1_000)
    ])  # fmt: skip
    # Counts are discrete, so p is conservative; past three standard errors of 5% it would be wrong.
    assert (p_values <= 0.05).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1_000)


def test_leaks_are_found() -> None:
    rng = np.random.default_rng(12)
    leaked = np.concatenate([rng.normal(2.5, 1.0, size=100), rng.normal(size=100)])
    assert stats.sign_flip_test(leaked, rng).status == "fail"


def test_min_k_keeps_at_least_one_token() -> None:
    assert stats.min_k_prob([-1.0, -3.0]) == -3.0
    assert stats.min_k_prob([-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0, -8.0, -9.0, -10.0]) == -9.5
    assert math.isnan(stats.min_k_prob([]))


@given(st.lists(st.floats(-20, 0), min_size=1, max_size=50), st.floats(0.01, 1))
def test_min_k_lies_between_the_least_and_the_mean(logprobs: list[float], ratio: float) -> None:
    score = stats.min_k_prob(logprobs, ratio)
    assert min(logprobs) - 1e-9 <= score <= np.mean(logprobs) + 1e-9


def test_reference_and_pairing() -> None:
    target = stats.subtract_reference([-3.0, -4.0], [-5.0, -4.5])
    assert target.tolist() == [2.0, 0.5]
    assert np.isnan(stats.paired_differences([1.0, np.nan], [np.nan, 1.0])).all()
    # 1 - 2/3 isn't 1/3 in binary: the two must tie all the same
    assert len(set(stats.paired_differences([1 / 3, 1.0], [0.0, 2 / 3]).tolist())) == 1


def test_wilson_interval_of_a_textbook_case() -> None:
    result = stats.sign_flip_test([1.0] * 10 + [-1.0] * 10, np.random.default_rng(0))
    assert result.flagged == 0
    assert result.interval == pytest.approx((0.0, 0.1611), abs=1e-4)  # z² / (n + z²) = 3.8415 / 23.8415


# --- ranks among the twins ---------------------------------------------------------------------------------


def test_preference_is_that_of_all_equally_likely_originals() -> None:
    scores = np.array([[3.0, 1.0, 2.0], [5.0, 5.0, 1.0], [2.0, 4.0, 0.0]])
    normal = np.array([normal_scores(row) for row in scores])
    every = [sum(normal[at, pick] for at, pick in enumerate(picks)) for picks in itertools.product(range(3), repeat=3)]
    exact = np.mean(np.array(every) >= normal[:, 0].sum() - 1e-9)
    found = preference(scores, np.random.default_rng(0), 20_000)
    assert found.p_value == pytest.approx(exact, abs=0.015)
    assert found.z == pytest.approx(normal[:, 0].sum() / np.std(every))
    assert found.mean_rank == pytest.approx(np.mean([1.0, 0.75, 0.5]))


def test_preference_leaves_out_what_cannot_tell() -> None:
    rng = np.random.default_rng(0)
    told = preference([[1.0, 0.0, np.nan], [2.0, 2.0, 2.0], [np.nan, 1.0, 2.0]], rng)
    assert told.n == 1
    assert preference([[1.0, 1.0]], rng).p_value == 1.0


def test_rank_test_holds_its_level_under_skewed_scores_and_a_biased_reference() -> None:
    rng = np.random.default_rng(0)
    p_values = []
    for at in range(300):
        shared = rng.exponential(size=(80, 6)) ** 2
        reference = shared + 0.3 * rng.normal(size=shared.shape)
        reference[:, 0] += (at % 3) * 0.1  # from neutral to a clear preference of its own
        target = 0.7 * shared + rng.exponential(size=shared.shape)
        target[:, 0] += (at % 3) * 0.07  # a clean model shares that preference
        p_values.append(rank_test(target, reference, rng, 400)[0].p_value)
    assert 0.02 < np.mean(np.array(p_values) <= 0.05) < 0.09
    assert np.mean(np.array(p_values) <= 0.01) < 0.03


def test_rank_test_finds_a_small_preference_that_flags_miss() -> None:
    rng = np.random.default_rng(1)
    reference = rng.normal(size=(200, 9))
    target = reference + 0.5 * rng.normal(size=(200, 9))
    target[::2, 0] += 0.5
    test, residuals = rank_test(target, reference, rng)
    differences = residuals[:, 0] - residuals[:, 1:].mean(axis=1)
    assert test.status == "fail"
    assert test.p_value == pytest.approx(1 / 10_001)
    assert differences[::2].mean() > 0.3 > differences[1::2].mean()
    assert test.flagged == (differences > test.threshold).sum()


def test_rank_test_subtracts_a_preference_of_the_reference_whole() -> None:
    rng = np.random.default_rng(2)
    reference = rng.normal(size=(300, 9))
    reference[:, 0] += 2.0
    noisy = reference + rng.normal(size=reference.shape)
    half = reference + 0.01 * rng.normal(size=reference.shape)
    assert rank_test(half, reference, rng, 500)[0].p_value > 0.01
    # A slope below 1 would leave part of the preference in the clean model.
    assert within_slope(noisy, reference) < 1.1
    assert rank_test(0.5 * reference, reference, rng, 500)[0].p_value > 0.9


def test_a_model_against_itself_prefers_nothing() -> None:
    scores = np.random.default_rng(3).normal(size=(30, 9))
    test, residuals = rank_test(scores, scores, np.random.default_rng(0), 200)
    assert (test.flagged, test.p_value) == (0, 1.0)
    assert not residuals.any()


def test_a_noisy_reference_does_not_accuse_a_clean_model_of_a_shared_taste() -> None:
    rng = np.random.default_rng(4)
    failed = 0
    for _ in range(60):
        shared = rng.normal(size=(200, 9))
        shared[:, 0] += 0.3
        reference = shared + 2 * rng.normal(size=shared.shape)  # its own z is about 1.5
        test, _ = rank_test(shared + 0.2 * rng.normal(size=shared.shape), reference, rng, 1_000)
        failed += test.status == "fail"
    assert failed <= 3
