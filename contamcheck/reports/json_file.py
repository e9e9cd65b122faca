"""The report as JSON: 0.1.0's keys under their old names, and everything needed to repeat the check."""

import json
from dataclasses import asdict
from typing import Any

from contamcheck.results import Report, Suspect, TestResult

SCHEMA_VERSION = 1


def to_json(report: Report) -> str:
    """Write a report as JSON.

    Parameters
    ----------
    report : Report
        The result of a check.

    Returns
    -------
    str
        One JSON object, indented; ASCII only, so that any terminal or pipe carries it.
    """
    content = {
        "schema_version": SCHEMA_VERSION,
        "verdict": report.verdict,
        "model": report.model.name,
        "reference": report.reference.name if report.reference else None,
        "benchmark": report.benchmark,
        "questions": len(report.questions),
        "control": report.control_kind,
        "skipped": report.skipped,
        "left_out": asdict(report.left),
        "tests": [_test(test) for test in report.tests],
        "untested": [asdict(test) for test in report.untested],
        "warnings": report.warnings,
        "target_model": asdict(report.model),
        "reference_model": asdict(report.reference) if report.reference else None,
        "question_texts": report.questions,
        "control_texts": report.controls,
        "twin_texts": report.twins,
        "strata": [asdict(stratum) for stratum in report.strata],
        "settings": asdict(report.settings),
        "versions": report.versions,
    }
    return json.dumps(content, indent=2, allow_nan=False)


def _test(test: TestResult) -> dict[str, Any]:
    outcome = test.outcome
    return {
        "name": test.name,
        "description": test.meaning,
        "n": outcome.n,
        "flagged": outcome.flagged,
        "rate": outcome.rate,
        "rate_interval_95": outcome.interval,
        "threshold": outcome.threshold,
        "p_value": outcome.p_value,
        "n_draws": outcome.n_draws,
        "slope": outcome.slope,
        "plain_p_value": outcome.plain_p_value,
        "status": outcome.status,
        "bench_mean": test.question_mean,
        "control_mean": test.control_mean,
        "examples": [_suspect(suspect) for suspect in test.suspects],
        "scores": test.scores,
    }


def _suspect(suspect: Suspect) -> dict[str, Any]:
    written = suspect.continuation
    return {
        "question": suspect.question,
        "score": suspect.score,
        "recalled": written.recalled if written else None,
        "prefix": written.prefix if written else "",
        "expected": written.expected if written else "",
        "generated": written.written if written else "",
    }
