"""From one test's measurements to its result: differences, flags, p-value, and the most suspicious questions."""

import zlib
from collections.abc import Mapping
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from contamcheck.measuring import Columns, Texts
from contamcheck.methods.base import Method
from contamcheck.results import Stratum, Suspect, TestResult, Untested
from contamcheck.selection import FEWEST, Selection
from contamcheck.stats import (
    FlagTest,
    Floats,
    label_permutation_test,
    paired_differences,
    preference,
    rank_test,
    sign_flip_test,
    subtract_reference,
)
from contamcheck.twins.selfcheck import classify

N_SUSPECTS = 3
# Below this p-value a self-check is worth a warning.
SUSPICIOUS = 0.01


def judge(
    method: Method, target: Columns, reference: Columns | None, selection: Selection, texts: Texts, seed: int
) -> TestResult | Untested:
    """Decide one test, over the questions (and controls) that fit into every model and that it can score.

    Parameters
    ----------
    method : Method
        The test.
    target, reference : Columns
        Answers of the two models; None where no reference is subtracted.
    selection : Selection
        The questions and their controls.
    texts : Texts
        Knows which of them fit.
    seed : int
        Of the draws; each test has a stream of its own.

    Returns
    -------
    TestResult or Untested
        Untested where fewer than 20 questions or control questions can be scored.
    """
    rng = np.random.default_rng([seed, zlib.crc32(method.name.encode())])
    if method.twins == "every" and not selection.paired:
        return Untested(method.name, "it compares questions with their own twins, not with control questions")
    theirs = [np.zeros(len(column)) for column in target.scores] if reference is None else reference.scores
    scores: Floats
    if selection.paired:
        values, subtracted = np.stack(target.scores, axis=1), np.stack(list(theirs), axis=1)
        usable = texts.question_fits & np.isfinite(values).all(axis=1) & np.isfinite(subtracted).all(axis=1)
        if short := _too_few(method, {"questions": usable}):
            return short
        outcome, residuals = TWINNED[method.twins](values[usable], subtracted[usable], rng)
        scores = _spread(paired_differences(residuals[:, 0], residuals[:, 1:].mean(axis=1)), usable)
        means = residuals[:, 0].mean(), residuals[:, 1:].mean()
    else:
        scores, controls = (
            np.where(fits, subtract_reference(ours, other), np.nan)
            for ours, other, fits in zip(target.scores, theirs, (texts.question_fits, texts.control_fits), strict=True)
        )
        usable, usable_controls = np.isfinite(scores), np.isfinite(controls)
        if short := _too_few(method, {"questions": usable, "control questions": usable_controls}):
            return short
        outcome = label_permutation_test(scores[usable], controls[usable_controls], rng)
        means = scores[usable].mean(), controls[usable_controls].mean()
    return TestResult(
        name=method.name,
        meaning=method.meaning + (" (reference subtracted)" if reference is not None else ""),
        outcome=outcome,
        question_mean=float(means[0]),
        control_mean=float(means[1]),
        scores=tuple(None if np.isnan(score) else float(score) for score in compress(scores, texts.question_fits)),
        suspects=_suspects(scores, target, selection),
    )


def _first_twin(target: Floats, reference: Floats, rng: np.random.Generator) -> tuple[FlagTest, Floats]:
    residuals = subtract_reference(target, reference)
    return sign_flip_test(paired_differences(residuals[:, 0], residuals[:, 1]), rng), residuals


TWINNED = {"first": _first_twin, "together": _first_twin, "every": rank_test}


def _spread(scores: Floats, usable: NDArray[np.bool_]) -> Floats:
    spread = np.full(len(usable), np.nan)
    spread[usable] = scores
    return spread


def _too_few(method: Method, usable: Mapping[str, NDArray[np.bool_]]) -> Untested | None:
    what, fewest = min(((what, int(mask.sum())) for what, mask in usable.items()), key=lambda count: count[1])
    if fewest >= FEWEST:
        return None
    return Untested(
        method.name, f"only {fewest} {what} can be scored, {FEWEST} are needed (the others {method.unscorable})"
    )


def _suspects(scores: Floats, target: Columns, selection: Selection) -> tuple[Suspect, ...]:
    order = [int(index) for index in np.argsort(-scores, kind="stable") if np.isfinite(scores[index])]
    suspects = []
    for index in order[:N_SUSPECTS]:
        continuation = target.continuations[index]
        if continuation is None or continuation.recalled != 0:
            suspects.append(Suspect(selection.questions[index], float(scores[index]), continuation))
    return tuple(suspects)


def judge_twins(selection: Selection, texts: Texts, reference: Columns | None, seed: int) -> tuple[Stratum, ...]:
    """Whether the twins can be told from the questions, by how they were made.

    Parameters
    ----------
    selection : Selection
        Questions and twins.
    texts : Texts
        Knows which questions fit.
    reference : Columns or None
        The reference's log-likelihoods, where they were measured.
    seed : int
        Of the check.

    Returns
    -------
    tuple of Stratum
        Largest first; empty with control questions.
    """
    by_families: dict[tuple[str, ...], list[int]] = {}
    for index, twinned in compress(enumerate(selection.twinned), texts.question_fits):
        by_families.setdefault(twinned.families, []).append(index)
    strata = []
    for families, indices in sorted(by_families.items(), key=lambda item: -len(item[1])):
        rng = np.random.default_rng([seed, zlib.crc32(str(families).encode())])
        twinned_here = [selection.twinned[index] for index in indices]
        scores = classify([twinned.variants for twinned in twinned_here], seed)
        distinct = tuple(twinned.n_distinct for twinned in twinned_here)
        self_check = preference(scores, rng)
        if reference is None:
            strata.append(Stratum(families, distinct, self_check))
            continue
        values, lengths = (np.stack(columns, axis=1)[indices] for columns in (reference.scores, reference.lengths))
        same = lengths == lengths[:, :1]
        strata.append(
            Stratum(
                families,
                distinct,
                self_check,
                preference(values, rng),
                float(1 - same[:, 1:].mean()),
                preference(np.where(same, values, np.nan), rng),
            )
        )
    return tuple(strata)
