"""Rows of tables: cells between separators, and Parquet."""

import csv
import io

from contamcheck.benchmarks.base import Rows, field_error, wanted_field
from contamcheck.errors import BenchmarkError

_CELL_LIMIT = 2**31 - 1  # the most that csv takes where a C long has 32 bits


def csv_rows(text: str, source: str, separators: str = ",;\t|") -> Rows:
    r"""Rows of a table with a header row, numbered by the line on which each begins.

    Parameters
    ----------
    text : str
        Cells in quotation marks may hold separators and line breaks.
    source : str
        How messages call it.
    separators : str
        Candidates; the one that cuts the header into most cells is taken.

    Raises
    ------
    BenchmarkError
        If a row hasn't as many cells as the header, quotation marks don't match, or two columns share a name.

    Examples
    --------
    >>> csv_rows('id;question\n7;"Why; and how?"', "x.csv").entries
    [(2, {'id': '7', 'question': 'Why; and how?'})]
    """
    header: list[str] = []
    entries: list[tuple[int, object]] = []
    begin = 1
    limit = csv.field_size_limit(_CELL_LIMIT)
    try:
        # Not strict, it would take all that follows a lone quotation mark for one cell.
        reader = csv.reader(_lines(text), delimiter=_separator(text, separators), strict=True)
        for cells in reader:
            line, begin = begin, reader.line_num + 1
            if not cells:
                continue
            if not header:
                header = _distinct([cell.strip() for cell in cells], source)
                continue
            if len(cells) != len(header):
                raise BenchmarkError(
                    f"line {line} of {source} begins a row with another number of cells ({len(cells)}) than the "
                    f"header ({len(header)}): mend it, or put quotation marks around cells with separators inside"
                )
            entries.append((line, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        raise BenchmarkError(
            f"line {begin} of {source} begins a row that can't be read ({error}): mend its quotation marks"
        ) from error
    finally:
        csv.field_size_limit(limit)  # it is the whole process's
    return Rows(source, "line", entries)


def parquet_rows(data: bytes, source: str, field: str | None) -> Rows:
    """Rows of a Parquet file; only the wanted column is read.

    Raises
    ------
    BenchmarkError
        If it is damaged, or has no such column.
    """
    if not data:
        return Rows(source, "row", ())
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        names = _distinct(file.schema_arrow.names, source)
        wanted = wanted_field(names, field)
        if wanted not in names:
            raise field_error(source, field, names)
        values = file.read(columns=[wanted]).column(wanted).to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise BenchmarkError(f"{source} isn't a sound Parquet file ({reason}): fetch it again") from error
    return Rows(source, "row", [(number, {wanted: value}) for number, value in enumerate(values, 1)])


def _separator(text: str, candidates: str) -> str:
    def cells(separator: str) -> int:
        return len(next(filter(None, csv.reader(_lines(text), delimiter=separator)), ()))

    return max(candidates, key=cells)


def _lines(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")  # line breaks inside cells stay as they are


def _distinct(names: list[str], source: str) -> list[str]:
    """Refuse columns of one name, since one would hide the other."""
    for name in names:
        if name and names.count(name) > 1:
            raise BenchmarkError(f"{source} has more than one column {name!r}: rename all but one")
    return names
