"""Questions in files and on standard input: from bytes to text, and on to rows by format.

The format is told from the file's name; only standard input and FIFOs, which may have no telling one,
are looked into.
"""

import codecs
import gzip
import re
import sys
import zlib
from dataclasses import replace
from pathlib import Path

from contamcheck.benchmarks.base import Rows
from contamcheck.benchmarks.documents import json_rows, text_rows
from contamcheck.benchmarks.tables import csv_rows, parquet_rows
from contamcheck.errors import BenchmarkError, UsageError

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".txt", ".parquet")
"""File names that are understood, each also with .gz after it."""

# UTF-32 before UTF-16: its little-endian mark begins with the other's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_JSON_START = re.compile(r"""\s*(\{\s*["}]|\[\s*["{\]])""")


def rows_of_path(path: str, *, field: str | None, encoding: str | None) -> Rows:
    """Rows of a file or FIFO, which is opened and read once.

    Raises
    ------
    BenchmarkError
        If it can't be read, decoded or understood.
    UsageError
        If there is no such encoding.
    """
    suffix = known_suffix(path)
    if not suffix and Path(path).is_file():
        raise BenchmarkError(
            f"the format of {path} can't be told from its name: let that end in {', '.join(SUFFIXES)}, "
            "or one of these and .gz"
        )
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BenchmarkError(f"{path} can't be read ({error.strerror or error}): check its permissions") from error
    return rows_of_bytes(data, path, suffix, field=field, encoding=encoding)


def rows_of_stdin(*, field: str | None, encoding: str | None) -> Rows:
    """Rows on standard input; see `rows_of_path` for what it raises."""
    try:
        data = sys.stdin.buffer.read()
    except (AttributeError, OSError) as error:  # AttributeError: it is closed, so there is no such object
        raise BenchmarkError("standard input can't be read: name a file instead") from error
    return rows_of_bytes(data, "standard input", "", field=field, encoding=encoding)


def rows_of_bytes(data: bytes, source: str, suffix: str, *, field: str | None, encoding: str | None) -> Rows:
    """Rows of a file's content.

    Parameters
    ----------
    data : bytes
        Compressed by gzip or not.
    source : str
        How messages call it.
    suffix : str
        One of `SUFFIXES`, or empty to look into the data.
    field : str or None
        Field that holds the question, if the user named it.
    encoding : str or None
        A codec of Python's; None is UTF-8, or what a byte-order mark says.

    Raises
    ------
    BenchmarkError
        If it can't be decoded or understood.
    UsageError
        If there is no such encoding.

    Examples
    --------
    >>> rows_of_bytes(b"How many?", "questions.txt", ".txt", field=None, encoding=None).entries
    [(1, 'How many?')]
    """
    data = _unpacked(data, source)
    if suffix == ".parquet" or (not suffix and data.startswith(b"PAR1")):
        return parquet_rows(data, source, field)
    text = _decoded(data, source, encoding)
    if suffix == ".csv":
        return csv_rows(text, source)
    if suffix == ".tsv":
        return csv_rows(text, source, separators="\t")
    if suffix == ".txt":
        return text_rows(text, source)
    if suffix or _JSON_START.match(text):
        return json_rows(text, source, field)
    return replace(text_rows(text, source), notes=(f"Each line of {source} was taken as one question.",))


def known_suffix(path: str) -> str:
    """Find the one of `SUFFIXES` in which a path ends, before any .gz; empty if none.

    Examples
    --------
    >>> known_suffix("Questions.JSONL.gz")
    '.jsonl'
    """
    suffix = Path(path.lower().removesuffix(".gz")).suffix
    return suffix if suffix in SUFFIXES else ""


def _unpacked(data: bytes, source: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BenchmarkError(f"{source} is cut short or damaged ({error}): fetch it again") from error


def _decoded(data: bytes, source: str, encoding: str | None) -> str:
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    codec = encoding or marked or "utf-8"
    try:
        name = codecs.lookup(codec).name
        if marked and not marked.startswith(name.removesuffix("-sig")):
            raise BenchmarkError(
                f"{source} begins with the mark of {marked}, which isn't {codec}: leave out --encoding"
            )
        text = data.decode(codec).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if b"\0" in data and not marked:
            raise _nul_error(data, source, name) from error
        offset = error.start + len(data) - len(error.object)  # some codecs count from behind the mark
        raise BenchmarkError(
            f"{source} isn't {codec} text, as the byte {data[offset]:#04x} at offset {offset} shows: "
            "name its encoding with --encoding, for example --encoding cp1252"
        ) from error
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"there is no text encoding {encoding!r}: name one of Python's, such as utf-8, utf-16 or cp1252"
        ) from error
    if "\0" in text:
        raise _nul_error(data, source, name)
    return text


def _nul_error(data: bytes, source: str, codec: str) -> BenchmarkError:
    """Error for NUL characters, which stand in no question but in every misread UTF-16."""
    guess = "utf-16-be" if data.startswith(b"\0") else "utf-16-le"
    advice = "check that it is a text file" if codec == guess else f"try --encoding {guess}"
    return BenchmarkError(f"{source} holds NUL characters, as UTF-16 without a byte-order mark does: {advice}")
