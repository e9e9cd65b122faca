"""The report for people, and what they see while they wait."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from contamcheck.results import Report, Stratum, Suspect
from contamcheck.stats import EXPECTED_RATE
from contamcheck.twins.maker import Twinned

SYMBOLS = {"pass": ("✓", "green"), "warn": ("⚠", "yellow"), "fail": ("✗", "red")}
VERDICTS = {
    "likely": ("Likely contaminated - the model has probably seen these questions in training", "bold red"),
    "possible": ("Possible contamination - a weak signal; try more questions with -n, or other seeds", "bold yellow"),
    "none": ("No evidence of contamination", "bold green"),
}

JOINERS = "\u200c\u200d"


def print_report(report: Report, console: Console) -> None:
    """Print a report.

    Parameters
    ----------
    report : Report
        The result of a check.
    console : rich.console.Console
        Where to; colours only where it has them. Text from benchmarks and models is shown as it is, never as
        markup or as control characters.
    """
    for line in [
        *_head(report),
        *_tests(report),
        *_suspects(report),
        Text(),
        Text(*VERDICTS[report.verdict]),
    ]:
        console.print(line, soft_wrap=True)


def print_twins(twinned: Iterable[Twinned], console: Console) -> None:
    """Print questions beside their twins, details marked.

    Parameters
    ----------
    twinned : iterable of Twinned
        The questions.
    console : rich.console.Console
        Where to: details are underlined where it can do so, else put into [brackets].
    """
    for at, question in enumerate(twinned):
        if at:
            console.print()
        original = question.variants[0]
        console.print(Text(f"{' and '.join(question.families)}, {question.n_distinct} different"), style="dim")
        for variant in question.variants:
            changed = [one != other for one, other in zip(variant.details, original.details, strict=True)]
            marks = [place for place, new in zip(variant.places, changed, strict=True) if new or variant is original]
            console.print(Text("  ") + _marked(variant.text, marks, console.is_terminal), soft_wrap=True)


def _marked(text: str, places: Iterable[tuple[int, int]], styled: bool) -> Text:
    line, done = Text(), 0
    for start, end in places:
        line.append(_flat(text[done:start]))
        line.append(_flat(text[start:end]) if styled else f"[{_flat(text[start:end])}]", "bold underline")
        done = end
    return line.append(_flat(text[done:]))


def _flat(text: str) -> str:
    return printable(text.replace("\r\n", "\n").replace("\n", "⏎").replace("\t", " "))


def printable(text: str) -> str:
    r"""Replace what would change the terminal instead of standing in it.

    Parameters
    ----------
    text : str
        From a benchmark, a model, a file's name.

    Returns
    -------
    str
        Of the same length; joiners, which Indic scripts and Persian need, are kept.

    Examples
    --------
    >>> printable("a\x1b[2J")
    'a�[2J'
    """
    return "".join(char if char.isprintable() or char in JOINERS else "\N{REPLACEMENT CHARACTER}" for char in text)


def _head(report: Report) -> list[Text]:
    names = [f"model: {report.model.name}", f"benchmark: {report.benchmark}"]
    names += [f"reference: {report.reference.name}"] if report.reference else []
    counts = f"{len(report.questions)} questions, control: {report.control_kind}"
    reasons = {
        "equal to another": report.left.duplicates,
        "too short": report.left.too_short,
        "without a detail to swap": report.left.without_twin,
        "too long for the model": report.left.too_long,
    }
    skipped = ", ".join(f"{count} {reason}" for reason, count in reasons.items() if count)
    return [
        Text("contamcheck  " + "   ".join(map(printable, names))),
        Text(" " * 13 + counts + (f" ({report.skipped} skipped: {skipped})" if skipped else "")),
        *(Text(" " * 13 + _stratum(stratum, report.settings.twins_per_question)) for stratum in report.strata),
        Text(),
    ]


def _stratum(stratum: Stratum, drawn: int) -> str:
    said = f"{len(stratum.distinct)} by {' and '.join(stratum.families)}: {np.mean(stratum.distinct):.1f} of {drawn} "
    said += f"twins differ, p = {stratum.self_check.p_value:.2f} to tell them without a model"
    if stratum.reference is not None:
        said += f", the reference's preference for originals z = {stratum.reference.z:.1f}"
    return said


def _tests(report: Report) -> Iterator[Text]:
    for test in report.tests:
        outcome = test.outcome
        symbol, colour = SYMBOLS[outcome.status]
        yield Text.assemble(
            "  ",
            (symbol, colour),
            f" {test.name}: {_percent(outcome.rate)} of questions flagged ({outcome.flagged}/{outcome.n}) - "
            f"{EXPECTED_RATE:.0%} expected by chance ({_p(outcome.p_value)})",
        )
        yield Text(f"      flagged: {test.meaning}")
    for untested in report.untested:
        yield Text(f"  - {untested.name}: not tested, {untested.reason}")


def _suspects(report: Report) -> Iterator[Text]:
    for test in report.tests:
        if test.outcome.status == "pass" or not test.suspects:
            continue
        yield Text()
        yield Text(f"Most suspicious ({test.name}):")
        for suspect in test.suspects:
            yield from _suspect(suspect)


def _suspect(suspect: Suspect) -> Iterator[Text]:
    yield Text(f"  “{_short(suspect.question, 90)}”")
    if suspect.continuation is not None:
        yield Text(f"      real:  {_short(suspect.continuation.expected, 80)}")
        recalled = f"({suspect.continuation.recalled:.0%} of its details recalled)"
        yield Text(f"      model: {_short(suspect.continuation.written, 80)}   {recalled}")


def _percent(rate: float) -> str:
    return f"{100 * rate:.3g}%"


def _p(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _short(text: str, width: int) -> str:
    flat = printable(" ".join(text.split()))
    short = textwrap.shorten(flat, width, placeholder=" …")
    # A text without spaces would be shortened to nothing.
    return short if len(short) > width // 2 or len(flat) <= width else flat[: width - 1] + "…"


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", "progress.data.speed")


class Bars:
    """Progress bars and warnings on a console; plain lines where that is no terminal.

    Parameters
    ----------
    console : rich.console.Console
        Of stderr, so that results stay alone on stdout.
    """

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def task(self, description: str, total: int | None) -> Iterator[Callable[[int], None]]:
        """Show a step's progress with its rate; see `contamcheck.measuring.Watcher`."""
        description = printable(description)
        if not self._console.is_terminal:
            self._console.print(Text(f"{description}{f', {total} texts' if total else ''} ..."), soft_wrap=True)
            yield lambda finished: None
            return
        columns = [TextColumn("{task.description}", markup=False), BarColumn()]
        columns += [MofNCompleteColumn(), _Rate(), TimeRemainingColumn()] if total else []
        with Progress(*columns, console=self._console, transient=True) as progress:
            bar = progress.add_task(description, total=total)
            yield lambda finished: progress.advance(bar, finished)

    def warn(self, sentence: str) -> None:
        """Print a warning."""
        self._console.print(Text(f"contamcheck: {printable(sentence)}", "yellow"), soft_wrap=True)
