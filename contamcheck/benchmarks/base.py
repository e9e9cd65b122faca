"""What every source of questions ends in: rows first, then a benchmark of distinct, usable questions."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from contamcheck.benchmarks.cards import Card
from contamcheck.errors import BenchmarkError

QUESTION_FIELDS = ("question", "text", "prompt", "problem")
"""Fields that are taken to hold the question when the user names none, best first."""

# A stray field further down must not outvote the one that all the rows share.
_ROWS_TO_GUESS_FROM = 100
_MISSING = object()
# Half of a UTF-16 pair: JSON can spell it, but it is no character and can't be encoded for a tokenizer.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Benchmark:
    """Questions of a benchmark, ready to be tested.

    Attributes
    ----------
    name : str
        As the user named it.
    questions : tuple of str
        Distinct, in file order, text unchanged: code keeps its indentation.
    card : Card or None
        Card of a built-in benchmark.
    duplicates : int
        Questions dropped because an earlier one differs in outer white space at most.
    warnings : tuple of str
        Sentences that the user should read beside any result.
    """

    name: str
    questions: tuple[str, ...]
    card: Card | None
    duplicates: int
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """Rows as a source holds them, whatever they are.

    Attributes
    ----------
    source : str
        How messages call it.
    unit : str
        What the numbers count, "line" or "row".
    entries : sequence of (int, object)
        Number of each row, from 1, and its content: a dict of fields, or a string that is the question
        itself. Anything else can't be used.
    notes : tuple of str
        Sentences on how the source was understood.
    """

    source: str
    unit: str
    entries: Sequence[tuple[int, object]]
    notes: tuple[str, ...] = ()


def wanted_field(names: Collection[str], field: str | None) -> str | None:
    """Field that holds the question: the one given, else the best-known of `names`, else None.

    Examples
    --------
    >>> wanted_field(["id", "prompt", "text"], None)
    'text'
    """
    return field or next((known for known in QUESTION_FIELDS if known in names), None)


def field_error(source: str, field: str | None, names: Collection[str]) -> BenchmarkError:
    """Error for a source that hasn't the field asked for, or none that can be guessed."""
    missing = f"no field {field!r}" if field else f"none of the fields {', '.join(QUESTION_FIELDS)}"
    # Without a header row, the names are whole questions.
    shown = _listed([name[:40] + "..." * (len(name) > 40) for name in names], 20) or "(none)"
    return BenchmarkError(
        f"{source} has {missing}; its fields are {shown}: name the one that holds the question "
        "with --field, or as the last part of hf:dataset[:config]:split:field"
    )


def benchmark_from_rows(name: str, rows: Rows, *, field: str | None, card: Card | None = None) -> Benchmark:
    """Take the questions out of the rows, leaving out what isn't usable text and what came before.

    Parameters
    ----------
    name : str
        The benchmark, as the user named it.
    rows : Rows
        What its source holds.
    field : str or None
        Field that holds the question; None guesses.
    card : Card, optional
        The benchmark's card, if it is a built-in one.

    Raises
    ------
    BenchmarkError
        If no row has the field, or it can't be guessed.
    """
    wanted = _field_of(rows, field)
    questions: dict[str, str] = {}  # without outer white space -> unchanged
    unusable: dict[str, list[int]] = {}  # what is wrong -> numbers of the rows
    for number, row in rows.entries:
        value = row.get(wanted, _MISSING) if isinstance(row, dict) else row
        flaw = _flaw(value)
        if isinstance(value, str) and not flaw:
            questions.setdefault(value.strip(), value)
        else:
            unusable.setdefault(flaw, []).append(number)
    dropped = sum(map(len, unusable.values()))
    return Benchmark(
        name=name,
        questions=tuple(questions.values()),
        card=card,
        duplicates=len(rows.entries) - dropped - len(questions),
        warnings=rows.notes + ((_left_out(rows, unusable, dropped),) if dropped else ()),
    )


def _field_of(rows: Rows, field: str | None) -> str | None:
    objects = [row for _, row in rows.entries if isinstance(row, dict)]
    if rows.entries and not objects and field:
        raise BenchmarkError(
            f"{rows.source} has no field {field!r}, nor any other: each {rows.unit} was taken as a question; leave out "
            "the field, or save the questions as .jsonl or .csv"
        )
    names = dict.fromkeys(name for row in objects for name in row)
    wanted = wanted_field({name for row in objects[:_ROWS_TO_GUESS_FROM] for name in row}, field)
    if objects and wanted not in names:
        raise field_error(rows.source, field, names)
    return wanted


def _flaw(value: object) -> str:
    """Why a value can't be a question, in a word or two; empty if it can."""
    if value is _MISSING:
        return "missing"
    match value:
        case str() if _LONE_SURROGATE.search(value):
            return "lone surrogate"
        case str():
            return "" if value.strip() else "blank"
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "number"
        case list():
            return "list"
        case dict():
            return "object"
        case _:
            return type(value).__name__


def _left_out(rows: Rows, unusable: dict[str, list[int]], dropped: int) -> str:
    kinds = []
    for flaw, numbers in unusable.items():
        where = f"{len(numbers)} {rows.unit}s:" if len(numbers) > 1 else rows.unit
        kinds.append(f"{flaw} ({where} {_listed(numbers, 5)})")
    return (
        f"Left out {dropped} of the {len(rows.entries)} rows of {rows.source}, "
        f"whose question is no usable text: {', '.join(kinds)}."
    )


def _listed(things: Collection[object], limit: int) -> str:
    shown = [str(thing) for thing in islice(things, limit)]
    return ", ".join(shown + ["..."] * (len(things) > limit))
