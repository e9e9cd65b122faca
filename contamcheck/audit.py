"""The one place where questions, twins, runners and tests meet: from a model and a benchmark to a Report."""

import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from contamcheck.benchmarks import Benchmark, load_benchmark
from contamcheck.errors import BenchmarkError, UsageError
from contamcheck.judging import judge
from contamcheck.measuring import Silent, Texts, Watcher
from contamcheck.methods import METHODS
from contamcheck.methods.base import Measurement, Method
from contamcheck.references import AUTO, LARGE, NONE, choose_reference
from contamcheck.results import Left, ModelUsed, Report, Settings, TestResult, Untested
from contamcheck.runners import load_runner, pick_runner
from contamcheck.runners.base import Runner
from contamcheck.runners.source import ModelSource
from contamcheck.selection import FEWEST, Selection, select_controls, select_twins
from contamcheck.stats import Floats

# What audit() has arguments of its own for.
RESERVED = {
    "model": "MODEL",
    "device": "--device",
    "batch_size": "--batch-size",
    "trust_remote_code": "--trust-remote-code",
}


def audit(
    model: str,
    benchmark: str | Benchmark,
    *,
    n: int = 200,
    field: str | None = None,
    control: str | None = None,
    tests: Sequence[str] = ("completion", "min-k"),
    reference: str = AUTO,
    runner: str = "auto",
    runner_args: Mapping[str, str] | None = None,
    batch_size: int | None = None,
    device: str | None = None,
    seed: int = 0,
    encoding: str | None = None,
    trust_remote_code: bool = False,
    watcher: Watcher | None = None,
) -> Report:
    """Check whether a model has seen a benchmark's questions in training.

    Parameters
    ----------
    model : str
        Folder, Hub name (``NAME`` or ``NAME@REVISION``) or embedded model (``demo:clean``).
    benchmark : str or Benchmark
        Built-in name, file, or ``hf:dataset[:config]:split:field``; or one that is loaded already.
    n : int
        How many questions to test; a seeded sample where the benchmark has more.
    field : str, optional
        Field that holds the question; question, text, prompt or problem by default.
    control : str, optional
        Questions that the model can't have seen, spelled as `benchmark`: compared with instead of twins.
    tests : sequence of str
        Names of `contamcheck.methods.METHODS`.
    reference : str
        A clean model, ``auto`` or ``none``.
    runner : str
        Name of a runner, or ``auto``.
    runner_args : mapping, optional
        Further arguments for the target's runner.
    batch_size : int, optional
        Most texts in a batch.
    device : str, optional
        ``cuda``, ``mps`` or ``cpu``.
    seed : int
        Decides the sample, the twins and the draws of the tests.
    encoding : str, optional
        Of a local file; UTF-8 by default.
    trust_remote_code : bool
        Run Python code that a model's repository brings.
    watcher : Watcher, optional
        Follows progress and hears warnings as they arise.

    Returns
    -------
    Report
        Its `verdict` is ``likely``, ``possible`` or ``none``.

    Raises
    ------
    ContamcheckError
        Anything that stopped the check, in one sentence (see `contamcheck.errors`).

    Examples
    --------
    >>> audit("demo:leaked", "demo", tests=["min-k"]).verdict
    'likely'
    """
    model, reference = os.fspath(model), os.fspath(reference)
    names = (tests,) if isinstance(tests, str) else tuple(tests)
    settings = Settings(
        n, field, control, names, reference, runner, dict(runner_args or {}), batch_size, device, seed,
        encoding, trust_remote_code,
    )  # fmt: skip
    _check(settings)
    if benchmark == "-" == control:
        raise UsageError("standard input can be read once: as BENCHMARK or as --control")
    notes = _Notes(watcher or Silent())
    methods = [METHODS[name] for name in METHODS if name in settings.tests]
    loaded = benchmark if isinstance(benchmark, Benchmark) else _load(benchmark, settings, notes)
    selection = _select(loaded, settings, notes)
    texts = Texts(selection)
    scores, target, referee = _measure_all(model, methods, texts, settings, notes)

    results = [judge(method, *scores[method.name], selection, texts, settings.seed) for method in methods]
    tested = tuple(result for result in results if isinstance(result, TestResult))
    untested = tuple(result for result in results if isinstance(result, Untested))
    if not tested:
        raise BenchmarkError("; ".join(f"{test.name}: {test.reason}" for test in untested))
    return Report(
        model=target,
        reference=referee,
        benchmark=loaded.name,
        paired=selection.paired,
        questions=_kept(selection.questions, texts.question_fits),
        controls=_kept(selection.controls, texts.control_fits),
        left=Left(loaded.duplicates, selection.too_short, selection.without_twin, int((~texts.question_fits).sum())),
        tests=tested,
        untested=untested,
        warnings=tuple(notes.sentences),
        settings=settings,
        versions=_versions(),
    )


class _Notes:
    """Passes warnings on as they arise, and keeps them for the report."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.sentences: list[str] = []

    def warn(self, sentence: str) -> None:
        self.sentences.append(sentence)
        self.watcher.warn(sentence)


def _check(settings: Settings) -> None:
    unknown = [name for name in settings.tests if name not in METHODS]
    if unknown or not settings.tests:
        raise UsageError(f"there is no test {', '.join(unknown) or 'to do'}; choose from {', '.join(METHODS)}")
    if settings.n < FEWEST:
        raise UsageError(f"-n {settings.n} is too few: at least {FEWEST} questions are needed")
    if settings.batch_size is not None and settings.batch_size < 1:
        raise UsageError("the batch size must be at least 1")
    if settings.seed < 0:
        raise UsageError("the seed must be 0 or more")
    for name in ("field", "control", "reference", "runner", "device", "encoding"):
        if getattr(settings, name) == "":
            raise UsageError(f"--{name} is empty; give it a value or leave it out")
    for key in settings.runner_args:
        if key in RESERVED:
            raise UsageError(f"--runner-arg can't set {key}; use {RESERVED[key]}")


def _load(spec: str, settings: Settings, notes: _Notes) -> Benchmark:
    benchmark = load_benchmark(os.fspath(spec), field=settings.field, encoding=settings.encoding)
    for sentence in benchmark.warnings:
        notes.warn(sentence)
    return benchmark


def _select(benchmark: Benchmark, settings: Settings, notes: _Notes) -> Selection:
    if settings.control is None:
        return select_twins(benchmark.questions, settings.n, settings.seed)
    controls = _load(settings.control, settings, notes)
    known = {question.strip() for question in benchmark.questions}
    fresh = [question for question in controls.questions if question.strip() not in known]
    if shared := len(controls.questions) - len(fresh):
        notes.warn(f"{shared} of the control questions stand in the benchmark too and were left out")
    return select_controls(benchmark.questions, fresh, settings.n, settings.seed)


def _measure_all(
    model: str, methods: Sequence[Method], texts: Texts, settings: Settings, notes: _Notes
) -> tuple[dict[str, tuple[Measurement, Floats | None]], ModelUsed, ModelUsed | None]:
    """Each test's measurement of the target, and the reference's scores where the test uses them."""
    compared = [method for method in methods if method.uses_reference]
    wanted = bool(compared) and settings.reference.lower() != NONE
    name = settings.reference if wanted and settings.reference.lower() != AUTO else None
    if name is not None:
        # A name that can't be right is told before the target's hours, not after them.
        _runner_name(name, settings)
    with _open(model, settings, notes, settings.runner_args) as runner:
        target = _used(runner, model, settings)
        if wanted and name is None:
            name = choose_reference(model, runner.n_params)
            _runner_name(name, settings)
            if runner.n_params > LARGE:
                notes.warn(
                    f"the reference {name} is much smaller than this model, so min-k may flag too much; consider a "
                    "larger clean model with --reference, such as EleutherAI/pythia-6.9b"
                )
        measured = {method.name: texts.measure(method, runner, notes.watcher) for method in methods}
    if name is None:
        return {key: (value, None) for key, value in measured.items()}, target, None
    if _same_model(name, model):
        notes.warn("the reference is the model under test itself, so min-k can't flag anything")
        own = {method.name: measured[method.name].scores for method in compared}
        return {key: (value, own.get(key)) for key, value in measured.items()}, target, target
    with _open(name, settings, notes, {}) as runner:
        referee = _used(runner, name, settings)
        scores = {method.name: texts.measure(method, runner, notes.watcher).scores for method in compared}
    return {key: (value, scores.get(key)) for key, value in measured.items()}, target, referee


def _same_model(one: str, other: str) -> bool:
    return ModelSource.parse(one).key == ModelSource.parse(other).key


def _runner_name(model: str, settings: Settings) -> str:
    return pick_runner(model) if settings.runner == "auto" else settings.runner


def _open(model: str, settings: Settings, notes: _Notes, arguments: Mapping[str, Any]) -> Runner:
    given = {"device": settings.device, "batch_size": settings.batch_size} | dict(arguments)
    if settings.trust_remote_code:
        given["trust_remote_code"] = True
    with notes.watcher.task(f"loading {model}", None):
        return load_runner(_runner_name(model, settings), model, **given)


def _used(runner: Runner, model: str, settings: Settings) -> ModelUsed:
    return ModelUsed(
        model,
        runner.revision,
        _runner_name(model, settings),
        runner.n_params,
        runner.max_tokens,
        runner.numerics,
    )


def _kept(texts: Sequence[str], fits: np.ndarray) -> tuple[str, ...]:
    return tuple(text for text, fit in zip(texts, fits, strict=True) if fit)


def _versions() -> dict[str, str]:
    libraries = ("contamcheck", "numpy", "scipy", "tokenizers")
    return {"python": platform.python_version()} | {name: version(name) for name in libraries}
