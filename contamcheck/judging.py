"""From one test's measurements to its result: differences, flags, p-value, and the most suspicious questions."""

import zlib

import numpy as np

from contamcheck.measuring import Texts
from contamcheck.methods.base import Measurement, Method
from contamcheck.methods.completion import recall
from contamcheck.results import Suspect, TestResult, Untested
from contamcheck.selection import FEWEST, Selection
from contamcheck.stats import Floats, label_permutation_test, paired_differences, sign_flip_test, subtract_reference

N_SUSPECTS = 3


def judge(
    method: Method,
    measured: Measurement,
    reference: Floats | None,
    selection: Selection,
    texts: Texts,
    seed: int,
) -> TestResult | Untested:
    """Decide one test, over the questions (and controls) that fit into every model and that it can score.

    Parameters
    ----------
    method : Method
        The test.
    measured : Measurement
        The target's scores of all texts, questions first.
    reference : float64 array, shape (n_texts,), or None
        The reference's; None where none is subtracted.
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
    n = len(selection.questions)
    raw = measured.scores if reference is None else subtract_reference(measured.scores, reference)
    raw = np.where(texts.fits, raw, np.nan)
    rng = np.random.default_rng([seed, zlib.crc32(method.name.encode())])
    if selection.paired:
        scores = paired_differences(raw[:n], raw[n:])
        usable = usable_controls = np.isfinite(scores)
    else:
        scores = raw[:n]
        usable, usable_controls = np.isfinite(scores), np.isfinite(raw[n:])
    counts = {"questions": int(usable.sum()), "control questions": int(usable_controls.sum())}
    what, fewest = min(counts.items(), key=lambda count: count[1])
    if fewest < FEWEST:
        return Untested(
            method.name,
            f"only {fewest} {what} can be scored, {FEWEST} are needed (the others {method.unscorable})",
        )
    controls = raw[n:][usable_controls]
    outcome = (
        sign_flip_test(scores[usable], rng)
        if selection.paired
        else label_permutation_test(scores[usable], controls, rng)
    )
    return TestResult(
        name=method.name,
        meaning=method.meaning + (" (reference subtracted)" if reference is not None else ""),
        outcome=outcome,
        question_mean=float(raw[:n][usable].mean()),
        control_mean=float(controls.mean()),
        scores=tuple(
            None if np.isnan(score) else float(score)
            for score, fits in zip(scores, texts.question_fits, strict=True)
            if fits
        ),
        suspects=_suspects(scores, measured, selection),
    )


def _suspects(scores: Floats, measured: Measurement, selection: Selection) -> tuple[Suspect, ...]:
    order = [int(index) for index in np.argsort(-scores, kind="stable") if np.isfinite(scores[index])]
    suspects = []
    for index in order[:N_SUSPECTS]:
        continuation = measured.continuations[index]
        recalled = recall(continuation) if continuation else None
        if recalled != 0:
            suspects.append(Suspect(selection.questions[index], float(scores[index]), recalled, continuation))
    return tuple(suspects)
