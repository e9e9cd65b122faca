"""Benchmarks: the built-in ones, files, and datasets on the Hugging Face Hub."""

import difflib
import os
import stat

from contamcheck.benchmarks.base import Benchmark, benchmark_from_rows
from contamcheck.benchmarks.cards import Card, builtin_cards, packaged_data
from contamcheck.benchmarks.hub import SPELLING, HubColumn, parse_column, rows_of_column
from contamcheck.benchmarks.local import SUFFIXES, known_suffix, rows_of_bytes, rows_of_path, rows_of_stdin
from contamcheck.errors import UsageError

__all__ = ["Benchmark", "Card", "builtin_cards", "load_benchmark", "load_builtin"]


def load_benchmark(spec: str, *, field: str | None = None, encoding: str | None = None) -> Benchmark:
    """Load the questions of a benchmark.

    Parameters
    ----------
    spec : str
        `-` for standard input, else the first of these that fits: an existing file or FIFO, the name of a
        built-in benchmark, `hf:dataset[:config]:split:field` for a dataset on the Hugging Face Hub (or a
        dataset folder, written as an absolute path or beginning with `./`).
    field : str, optional
        Field that holds the question. By default a built-in benchmark's own, and in files the first of
        question, text, prompt and problem that is there. An `hf:` spec names its own.
    encoding : str, optional
        Encoding of a file. By default what its byte-order mark says, else UTF-8. Parquet and datasets
        need none.

    Returns
    -------
    Benchmark
        With any number of questions, even none: how many are enough is for the caller to say.

    Raises
    ------
    UsageError
        If the spec means nothing, or there is no such encoding.
    BenchmarkError
        If the questions can't be read, or it can't be told which field holds them.

    Examples
    --------
    >>> load_benchmark("gsm9k")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    contamcheck.errors.UsageError: there is no benchmark 'gsm9k', did you mean gsm8k? ...
    """
    if spec == "-":
        return benchmark_from_rows(spec, rows_of_stdin(field=field, encoding=encoding), field=field)
    if _is_readable(spec):
        return benchmark_from_rows(spec, rows_of_path(spec, field=field, encoding=encoding), field=field)
    if spec in builtin_cards():
        return load_builtin(spec, field=field)
    if spec.startswith("hf:"):
        column = parse_column(spec)
        return benchmark_from_rows(spec, rows_of_column(column), field=column.field)
    raise _unknown(spec)


def load_builtin(name: str, *, field: str | None = None) -> Benchmark:
    """Load a built-in benchmark, whatever files of that name are about.

    Parameters
    ----------
    name : str
        A key of `builtin_cards`.
    field : str, optional
        Field that holds the question; the card's own by default.

    Returns
    -------
    Benchmark
        Its questions.

    Raises
    ------
    BenchmarkError
        If they can't be read.

    Examples
    --------
    >>> len(load_builtin("demo").questions)
    400
    """
    card = builtin_cards()[name]
    field = field or card.field
    if card.file:
        data = (packaged_data() / card.file).read_bytes()
        rows = rows_of_bytes(data, card.file, known_suffix(card.file), field=field, encoding=None)
    else:
        rows = rows_of_column(HubColumn(card.source, card.config, card.split, field, card.revision))
    return benchmark_from_rows(card.name, rows, field=field, card=card)


def _is_readable(spec: str) -> bool:
    try:
        return not stat.S_ISDIR(os.stat(spec).st_mode)
    except PermissionError:  # in a closed folder; reading what looks like a file will say so
        return bool(known_suffix(spec))
    except (OSError, ValueError):
        return False


def _unknown(spec: str) -> UsageError:
    """Error for a spec that means nothing, saying what it comes nearest to."""
    if os.path.isdir(spec):
        return UsageError(
            f"{spec} is a folder: name a file in it, or write hf:{os.path.abspath(spec)}:split:field if it is a dataset"
        )
    if known_suffix(spec) or "/" in spec or os.sep in spec:
        return UsageError(f"there is no file {spec}: check the path; a dataset is written {SPELLING}")
    names = list(builtin_cards())
    near = difflib.get_close_matches(spec.lower(), names, n=1)
    return UsageError(
        f"there is no benchmark {spec!r}{f', did you mean {near[0]}?' if near else ':'} name a built-in one "
        f"({', '.join(names)}), a file ({', '.join(SUFFIXES)}), {SPELLING}, or - for standard input"
    )
