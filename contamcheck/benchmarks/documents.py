"""Rows of text made of lines: JSON in its shapes, and one question a line."""

import json
import re
from collections.abc import Collection, Iterable

from contamcheck.benchmarks.base import Rows, wanted_field
from contamcheck.errors import BenchmarkError

# Not str.splitlines(), which also breaks at U+2028 and others that may stand inside a question.
_LINE_END = re.compile(r"\r\n|\n|\r")


def text_rows(text: str, source: str) -> Rows:
    r"""One question a line, without outer white space; blank lines are skipped.

    Examples
    --------
    >>> text_rows("Why? \n\n How?", "x.txt").entries
    [(1, 'Why?'), (3, 'How?')]
    """
    rows = [(number, line.strip()) for number, line in _filled_lines(text)]
    looks_like_json = rows and all(line.startswith("{") and line.endswith("}") for _, line in rows)
    note = f"Each line of {source} was taken as one question, though it looks like JSON: let the name end in .jsonl."
    return Rows(source, "line", rows, (note,) if looks_like_json else ())


def json_rows(text: str, source: str, field: str | None) -> Rows:
    r"""Rows of a JSON document, or of JSON lines.

    Parameters
    ----------
    text : str
        An array of rows, an object that holds rows or columns, or one row a line.
    source : str
        How messages call it.
    field : str or None
        Field that holds the question, if the user named it.

    Raises
    ------
    BenchmarkError
        If it isn't valid JSON, naming the line, or it can't be told where the rows are.

    Examples
    --------
    >>> json_rows('{"text": "a"}\n\n{"text": "b"}', "x.jsonl", None).entries
    [(1, {'text': 'a'}), (3, {'text': 'b'})]
    >>> json_rows('{"n": 2, "rows": [{"text": "a"}, {"text": "b"}]}', "x.json", None).notes
    ("The rows of x.json were taken from its key 'rows'.",)
    """
    lines = _filled_lines(text)
    if not lines:
        return Rows(source, "line", ())
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        # JSON lines stand alone, those of a document rarely do; the second line is for a broken first.
        if not any(_is_json(line) for _, line in lines[:2]):
            raise _json_error(source, getattr(error, "lineno", 1), error) from error
        return Rows(source, "line", [(number, _parsed(line, source, number)) for number, line in lines])
    rows, notes = _rows_of_document(document, source, field)
    return Rows(source, "row", list(enumerate(rows, 1)), notes)


def _filled_lines(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(_LINE_END.split(text), 1) if line.strip()]


def _rows_of_document(document: object, source: str, field: str | None) -> tuple[Iterable[object], tuple[str, ...]]:
    """Find the rows in a JSON document; a note tells under which key, where that was a choice."""
    if isinstance(document, list):
        return document, ()
    if not isinstance(document, dict):
        return [document], ()
    column = document.get(wanted_field(document, field))
    if isinstance(column, dict):  # as pandas writes a column: {"0": ..., "1": ...}
        column = list(column.values())
    if isinstance(column, list) and not _holds_objects(column):
        return column, ()
    lists = {key: value for key, value in document.items() if isinstance(value, list) and value}
    if isinstance(column, str):  # perhaps the only row, and its lists of text are choices or answers
        lists = {key: value for key, value in lists.items() if _holds_objects(value)}
    if len(lists) > 1:
        raise BenchmarkError(
            f"{source} holds lists under several keys ({', '.join(lists)}): "
            "keep only the one with the questions, or name it with --field if it is a column of text"
        )
    for key, rows in lists.items():
        return rows, (f"The rows of {source} were taken from its key {key!r}.",)
    return [document], ()


def _holds_objects(values: Collection[object]) -> bool:
    return any(isinstance(value, dict) for value in values)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(line: str, source: str, number: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _json_error(source, number, error) from error


def _json_error(source: str, line: int, error: Exception) -> BenchmarkError:
    reason = str(error)
    if isinstance(error, json.JSONDecodeError):  # whose text counts lines within what it was given
        reason = f"{re.sub('( starting)? at$', '', error.msg)} at column {error.colno}"
    return BenchmarkError(
        f"line {line} of {source} isn't valid JSON ({reason}): mend it, or fetch the file again if it was cut short"
    )
