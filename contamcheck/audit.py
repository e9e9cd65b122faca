"""The one place where questions, twins, runners and tests meet: from a model and a benchmark to a Report."""

import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from itertools import compress
from typing import Any

from contamcheck.benchmarks import Benchmark, load_benchmark
from contamcheck.errors import BenchmarkError, RunnerError, UsageError
from contamcheck.judging import SUSPICIOUS, judge, judge_twins
from contamcheck.measuring import Columns, Silent, Texts, Watcher
from contamcheck.methods import METHODS
from contamcheck.methods.base import Method
from contamcheck.references import AUTO, LARGE, NONE, choose_reference
from contamcheck.results import Left, ModelUsed, Report, Settings, TestResult, Untested
from contamcheck.runners import load_runner, pick_runner
from contamcheck.runners.base import Runner
from contamcheck.runners.source import ModelSource
from contamcheck.selection import FEWEST, Selection, select_controls, select_twins
from contamcheck.twins.maker import N_TWINS, TwinMaker, attempts_of

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
    tests: Sequence[str] = tuple(METHODS),
    twins: str = "auto",
    twins_per_question: int = N_TWINS,
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
    twins : str
        Details that are swapped: ``names``, ``details``, ``numbers``, ``all`` at once; ``auto`` takes names where
        a question has any, else numbers, else details.
    twins_per_question : int
        How many twins are drawn for each question.
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
    >>> audit("demo:leaked", "demo", tests=["likelihood"]).verdict
    'likely'
    """
    model, reference = os.fspath(model), os.fspath(reference)
    names = (tests,) if isinstance(tests, str) else tuple(tests)
    settings = Settings(
        n, field, control, names, twins, twins_per_question, reference, runner, dict(runner_args or {}), batch_size,
        device, seed, encoding, trust_remote_code,
    )  # fmt: skip
    _check(settings)
    if benchmark == "-" == control:
        raise UsageError("standard input can be read once: as BENCHMARK or as --control")
    notes = _Notes(watcher or Silent())
    if runner == "fake":
        notes.warn("the fake runner is no model: its verdict says nothing")
    methods = [METHODS[name] for name in METHODS if name in settings.tests]
    loaded = benchmark if isinstance(benchmark, Benchmark) else _load(benchmark, settings, notes)
    selection = _select(loaded, settings, notes)
    texts = Texts(selection)
    answers, subtracted, target, referee = _measure_all(model, methods, texts, settings, notes)

    strata = judge_twins(selection, texts, subtracted.get("likelihood"), settings.seed)
    for stratum in strata:
        if stratum.self_check.p_value < SUSPICIOUS:
            notes.warn(
                f"twins by {' and '.join(stratum.families)} can be told from the questions without any model "
                f"(p = {stratum.self_check.p_value:.4f}), and a clean model may notice it too: choose other --twins"
            )
    results = [
        judge(method, answers[method.name], subtracted.get(method.name), selection, texts, settings.seed)
        for method in methods
    ]
    tested = tuple(result for result in results if isinstance(result, TestResult))
    untested = tuple(result for result in results if isinstance(result, Untested))
    if not tested:
        raise BenchmarkError("; ".join(f"{test.name}: {test.reason}" for test in untested))
    return Report(
        model=target,
        reference=referee,
        benchmark=loaded.name,
        paired=selection.paired,
        questions=tuple(compress(selection.questions, texts.question_fits)),
        controls=tuple(compress(selection.controls, texts.control_fits)),
        twins=tuple(
            tuple(variant.text for variant in twinned.variants[1:])
            for twinned in compress(selection.twinned, texts.question_fits)
        ),
        strata=strata,
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
    attempts_of(settings.twins)
    if settings.twins_per_question < 1:
        raise UsageError("at least 1 twin per question is needed")
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
        maker = TwinMaker(benchmark.questions, settings.twins, settings.twins_per_question, settings.seed)
        return select_twins(benchmark.questions, settings.n, settings.seed, maker)
    controls = _load(settings.control, settings, notes)
    known = {question.strip() for question in benchmark.questions}
    fresh = [question for question in controls.questions if question.strip() not in known]
    if shared := len(controls.questions) - len(fresh):
        notes.warn(f"{shared} of the control questions stand in the benchmark too and were left out")
    return select_controls(benchmark.questions, fresh, settings.n, settings.seed)


def _measure_all(
    model: str, methods: Sequence[Method], texts: Texts, settings: Settings, notes: _Notes
) -> tuple[dict[str, Columns], dict[str, Columns], ModelUsed, ModelUsed | None]:
    """Each test's answers of the target, and the reference's where the test uses them."""
    compared = [method for method in methods if method.uses_reference]
    wanted = bool(compared) and settings.reference.lower() != NONE
    name = settings.reference if wanted and settings.reference.lower() != AUTO else None
    if compared and not wanted:
        notes.warn("without a reference, what a clean model prefers anyway counts as evidence: trust no verdict alone")
    if name is not None:
        _check_reference(name, settings)
    with _open(model, settings, notes, settings.runner_args) as runner:
        target = _used(runner, model, settings)
        if wanted and name is None:
            name = choose_reference(model, runner.n_params)
            _check_reference(name, settings)
            if runner.n_params > LARGE:
                notes.warn(
                    f"the reference {name} is much smaller than this model, so tests may flag too much; consider a "
                    "larger clean model with --reference, such as EleutherAI/pythia-6.9b"
                )
        measured = {method.name: texts.measure(method, runner, notes.watcher) for method in methods}
    if name is None:
        return measured, {}, target, None
    if _same_model(name, model):
        notes.warn("the reference is the model under test itself, so min-k and likelihood can't flag anything")
        return measured, {method.name: measured[method.name] for method in compared}, target, target
    with _open(name, settings, notes, {}) as runner:
        referee = _used(runner, name, settings)
        return (
            measured,
            {method.name: texts.measure(method, runner, notes.watcher) for method in compared},
            target,
            referee,
        )


def _check_reference(name: str, settings: Settings) -> None:
    """A reference that can't be had is told before the target's hours, not after them."""
    try:
        _runner_name(name, settings)
        if settings.runner != "fake":
            ModelSource.parse(name).check_reach()
    except RunnerError as error:
        raise type(error)(
            f"{error} (it is the reference model; name another with --reference, such as a local folder, or pass "
            "--reference none)"
        ) from error


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


def _versions() -> dict[str, str]:
    libraries = ("contamcheck", "numpy", "scipy", "tokenizers")
    return {"python": platform.python_version()} | {name: version(name) for name in libraries}
