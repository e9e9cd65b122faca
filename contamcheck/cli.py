"""The command line: parse, call the library, print.

Exit status: 0 no evidence, 1 contamination likely, 2 wrong usage or anything that stopped the check. Results go to
stdout, progress and warnings to stderr.
"""

import json
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from contamcheck import __version__, audit
from contamcheck.benchmarks import load_benchmark, load_builtin
from contamcheck.errors import ContamcheckError, UsageError
from contamcheck.methods import METHODS
from contamcheck.reports.json_file import to_json
from contamcheck.reports.terminal import Bars, print_report, print_twins, printable
from contamcheck.selection import sample_twins
from contamcheck.twins.maker import N_TWINS, TwinMaker

TRACEBACK = "CONTAMCHECK_TRACEBACK"
# Typer and rich end with 1 themselves, where a reader goes away: a finding travels under a number of its own.
FOUND = 64

app = typer.Typer(
    help="Has this language model seen this benchmark's questions in training?",
    epilog="contamcheck MODEL BENCHMARK is short for contamcheck check MODEL BENCHMARK; its options: contamcheck check "
    "--help. Exit status: 0 no evidence, 1 contamination likely, 2 anything that stopped the check.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: with 1 for a finding and for nothing else.

    Parameters
    ----------
    arguments : sequence of str, optional
        The process's own by default.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    known = {command.name for command in app.registered_commands} | {"-h", "--help", "--version"}
    status: object = 2
    with _sentences():
        if sys.stdout is None:
            raise UsageError("standard output is closed, so there is nowhere to put the result")
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        try:
            app(args=given if not given or given[0] in known else ["check", *given], prog_name="contamcheck")
        except SystemExit as end:
            status = end.code
        sys.stdout.flush()
    sys.exit(1 if status == FOUND else 2 if status else 0)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"contamcheck {__version__}")
        raise typer.Exit


@app.command("check")
def check(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="Folder, Hub name (NAME or NAME@REVISION), or demo:clean, demo:leaked, demo:reference.",
        ),
    ],
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK",
            help="gsm8k, humaneval, mbpp, demo; a file, or - for stdin; hf:dataset[:config]:split:field.",
        ),
    ],
    n: Annotated[int, typer.Option("-n", help="Questions to test.")] = 200,
    field: Annotated[
        str | None, typer.Option(help="Field that holds the question; else question, text, prompt or problem.")
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(help="Questions the model can't have seen, spelled like BENCHMARK; instead of twins."),
    ] = None,
    tests: Annotated[str, typer.Option(help="Tests to run, with commas between: completion, min-k.")] = ",".join(
        METHODS
    ),
    twins: Annotated[
        str,
        typer.Option(
            help="What twins differ in: names, details, numbers, all at once; auto: names, else numbers, else details."
        ),
    ] = "auto",
    twins_per_question: Annotated[int, typer.Option(help="Twins drawn for each question.")] = N_TWINS,
    reference: Annotated[
        str,
        typer.Option(help="Model that can't have seen the benchmark; auto: GPT-2, closest in size; none."),
    ] = "auto",
    runner: Annotated[str, typer.Option(help="auto, hf, onnx, fake, or one that a package brings.")] = "auto",
    runner_arg: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Argument for the model's runner; may be repeated."),
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="Most texts in a batch; by default as many as suit the memory.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cuda, mps or cpu; the best available by default.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the sample, the twins and the draws.")] = 0,
    encoding: Annotated[str | None, typer.Option(help="Of a benchmark file; UTF-8 by default.")] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run Python code that the model's repository brings.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Has MODEL seen BENCHMARK's questions in training?"""
    with _sentences():
        report = audit(
            model,
            benchmark,
            n=n,
            field=field,
            control=control,
            tests=[name.strip() for name in tests.split(",") if name.strip()],
            twins=twins,
            twins_per_question=twins_per_question,
            reference=reference,
            runner=runner,
            runner_args=_pairs(runner_arg or []),
            batch_size=batch_size,
            device=device,
            seed=seed,
            encoding=encoding,
            trust_remote_code=trust_remote_code,
            watcher=Bars(Console(stderr=True)),
        )
        if as_json:
            typer.echo(to_json(report))
        else:
            print_report(report, Console(highlight=False))
    raise typer.Exit(FOUND if report.verdict == "likely" else 0)


@app.command("demo")
def demo() -> None:
    """Check two embedded models, one clean, one not; no network."""
    dose = json.loads(files("contamcheck.benchmarks_data").joinpath("demo", "dose.json").read_text("utf-8"))
    console = Console(highlight=False)
    with _sentences():
        for model, history in (
            ("demo:clean", "It practised on other problems of the same source."),
            (
                "demo:leaked",
                f"The same, but {dose['leaked']} of the benchmark's {dose['questions']} questions were mixed in among "
                f"{dose['mixed_with']} other problems, {dose['passes']} times each.",
            ),
        ):
            console.print(f"{model}: {history}", style="dim", soft_wrap=True)
            print_report(audit(model, load_builtin("demo"), watcher=Bars(Console(stderr=True))), console)
            console.print()


@app.command("twins")
def twins(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Spelled as for the check.")],
    n: Annotated[int, typer.Option("-n", help="Questions to show.")] = 5,
    field: Annotated[str | None, typer.Option(help="Field that holds the question.")] = None,
    kind: Annotated[str, typer.Option("--twins", help="auto, names, details, numbers or all.")] = "auto",
    twins_per_question: Annotated[int, typer.Option(help="Twins to show of each.")] = 3,
    seed: Annotated[int, typer.Option(help="Decides the sample and the twins.")] = 0,
    encoding: Annotated[str | None, typer.Option(help="Of a benchmark file; UTF-8 by default.")] = None,
) -> None:
    """Show BENCHMARK's questions beside their twins."""
    with _sentences():
        if n < 1 or twins_per_question < 1 or seed < 0:
            raise UsageError("at least 1 question and 1 twin are needed, and a seed of 0 or more")
        questions = load_benchmark(benchmark, field=field, encoding=encoding).questions
        maker = TwinMaker(questions, kind, twins_per_question, seed)
        print_twins(sample_twins(questions, n, seed, maker), Console(highlight=False))


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn whatever stops the check into one sentence and exit status 2: a crash must not look like a finding."""
    try:
        yield
    except ContamcheckError as error:
        _stop(str(error), error)
    except KeyboardInterrupt as error:
        _stop("interrupted; nothing was saved", error)
    except BrokenPipeError as error:
        _stop("", error)
    except MemoryError as error:
        _stop("out of memory; use a smaller model or --batch-size 1", error)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _stop(f"stopped by the system: {error.strerror or error}{where}", error)
    except Exception as error:
        first = next(iter(str(error).strip().splitlines()), "")
        _stop(f"stopped by an unexpected {type(error).__name__}: {first} (set {TRACEBACK}=1 to see where)", error)


def _stop(sentence: str, error: BaseException) -> NoReturn:
    try:
        if os.environ.get(TRACEBACK):
            traceback.print_exception(error)
        if sentence:
            typer.echo(f"contamcheck: {printable(sentence)}", err=True)
    except OSError:
        pass  # there is nobody to tell; the status still says it
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            # Python would try again when it ends, and change the status.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    raise SystemExit(2) from None


def _pairs(arguments: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for argument in arguments:
        key, _, value = argument.partition("=")
        if not key.strip() or "=" not in argument:
            raise UsageError(f"--runner-arg {argument} isn't of the form KEY=VALUE")
        pairs[key.strip()] = value
    return pairs
