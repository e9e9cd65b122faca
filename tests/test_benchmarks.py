"""Loading of questions: every shape of input that users have, and every way in which it can be broken."""

import contextlib
import csv
import datetime
import gzip
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub.constants
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from contamcheck.benchmarks import Benchmark, builtin_cards, load_benchmark
from contamcheck.errors import BenchmarkError, ContamcheckError, UsageError

QUESTIONS = ("How many apples has Zoë?", "Says he “3 < 5”, or not?", "  def f(x):\n\treturn x")
ROWS: list[dict[str, object]] = [{"id": number, "question": text} for number, text in enumerate(QUESTIONS)]


def json_lines(rows: list[dict[str, object]], end: str = "\n", ascii_only: bool = False) -> str:
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + end for row in rows)


def table(separator: str, rows: list[dict[str, object]] = ROWS) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def parquet_bytes(columns: dict[str, Sequence[object]]) -> bytes:
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), sink)
    return bytes(sink.getvalue().to_pybytes())


LINES = json_lines(ROWS).encode()
PARQUET = parquet_bytes({"id": [0, 1, 2], "question": list(QUESTIONS)})


def load(folder: Path, name: str, data: bytes | str, **options: str) -> Benchmark:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_benchmark(str(path), **options)


def pipe_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


# --- files that load -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("q.jsonl", LINES, id="JSON lines"),
        pytest.param("Q.JSONL", LINES, id="capital suffix"),
        pytest.param("q.jsonl", LINES.rstrip(), id="no last line end"),
        pytest.param("q.jsonl", b"\xef\xbb\xbf" + LINES, id="UTF-8 mark"),
        pytest.param("q.jsonl", json_lines(ROWS, "\r\n \r\n\r\n"), id="Windows line ends, blank lines"),
        pytest.param("q.jsonl", json_lines(ROWS, "\r"), id="old Mac line ends"),
        pytest.param("q.jsonl", json_lines(ROWS).encode("utf-16"), id="UTF-16 with a mark"),
        pytest.param("q.jsonl", "\ufeff".encode("utf-16-be") + json_lines(ROWS).encode("utf-16-be"), id="big-endian"),
        pytest.param("q.jsonl", json_lines(ROWS).encode("utf-32"), id="UTF-32 with a mark"),
        pytest.param("q.jsonl", json.dumps(ROWS), id="array in .jsonl"),
        pytest.param("q.json", json.dumps(ROWS, indent=1), id="array"),
        pytest.param("q.json", json.dumps(QUESTIONS), id="array of strings"),
        pytest.param("q.json", LINES, id="JSON lines in .json"),
        pytest.param("q.json", json.dumps({"id": [0, 1, 2], "question": QUESTIONS}), id="columns"),
        pytest.param("q.json", json.dumps({"question": dict(enumerate(QUESTIONS))}), id="columns of pandas"),
        pytest.param("q.csv", table(","), id="commas"),
        pytest.param("q.csv", "\ufeff" + table(";"), id="Excel: mark, semicolons, line breaks in quotes"),
        pytest.param("q.csv", table("\t"), id="tabs in .csv"),
        pytest.param("q.csv", table("|"), id="bars"),
        pytest.param("q.csv", "\n" + table(",") + "\n\n", id="blank lines around a table"),
        pytest.param("q.tsv", table("\t"), id="tsv"),
        pytest.param("q.parquet", PARQUET, id="parquet"),
        pytest.param("q.parquet", parquet_bytes({"question": list(QUESTIONS), "a.b": [1, 2, 3]}), id="dotted name"),
        pytest.param("q.jsonl.gz", gzip.compress(LINES), id="gz"),
        pytest.param("q.jsonl", gzip.compress(LINES), id="gz without the name"),
        pytest.param("q.jsonl.gz", LINES, id="gz in name only"),
        pytest.param("q.csv.gz", gzip.compress(table(";").encode()), id="csv.gz"),
        pytest.param("q.parquet.gz", gzip.compress(PARQUET), id="parquet.gz"),
    ],
)
def test_files(tmp_path: Path, name: str, data: bytes | str) -> None:
    spec = str(tmp_path / name)
    assert load(tmp_path, name, data) == Benchmark(spec, QUESTIONS, None, 0, ())


def test_text_files_are_stripped(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.txt", "  Why?\r\n\r\n\tHow many\u2028apples? \nWhy?")
    assert loaded.questions == ("Why?", "How many\u2028apples?")
    assert loaded.duplicates == 1


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32-le"])
def test_encoding_given(tmp_path: Path, encoding: str) -> None:
    loaded = load(tmp_path, "q.txt", "Sofía?\nÜber?".encode(encoding), encoding=encoding)
    assert loaded.questions == ("Sofía?", "Über?")


@pytest.mark.parametrize(("mark", "encoding"), [("utf-8-sig", "utf-8"), ("utf-16", "utf-16-le")])
def test_mark_is_stripped_under_a_given_encoding(tmp_path: Path, mark: str, encoding: str) -> None:
    assert load(tmp_path, "q.txt", "Why?".encode(mark), encoding=encoding).questions == ("Why?",)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".tsv", ".txt", ".parquet", ".jsonl.gz"])
@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"], ids=["empty", "blank", "mark only"])
def test_empty_files_have_no_questions(tmp_path: Path, suffix: str, data: bytes) -> None:
    if suffix == ".parquet":
        data = data and parquet_bytes({"question": []})
    assert load(tmp_path, "q" + suffix, data).questions == ()


def test_a_header_alone_has_no_questions(tmp_path: Path) -> None:
    assert load(tmp_path, "q.csv", "id,question\n").questions == ()


def test_cells_may_be_huge_and_the_limit_of_the_process_stays(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    huge = "why? " * 50_000 + "!"
    assert load(tmp_path, "q.csv", f'question\n"{huge}"\n').questions == (huge,)
    assert csv.field_size_limit() == before


def test_rows_under_a_key_say_so(tmp_path: Path) -> None:
    data = json.dumps({"version": "1.0", "text": "About it", "tags": [], "data": ROWS}, indent=2)
    loaded = load(tmp_path, "q.json", data)
    assert loaded.questions == QUESTIONS
    assert loaded.warnings == (f"The rows of {tmp_path / 'q.json'} were taken from its key 'data'.",)


def test_a_single_row_is_not_taken_apart(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.jsonl", json.dumps({"question": "Which?", "choices": ["this", "that"]}))
    assert loaded.questions == ("Which?",)


@pytest.mark.parametrize(("data", "questions"), [('"Why?"', ("Why?",)), ("17", ()), ("[]", ())])
def test_documents_that_are_no_table(tmp_path: Path, data: str, questions: tuple[str, ...]) -> None:
    loaded = load(tmp_path, "q.json", data)
    assert loaded.questions == questions
    assert len(loaded.warnings) == (data == "17")


def test_duplicates_are_dropped_and_counted(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.jsonl", json_lines([{"text": text} for text in ("  b", "a", "b", "a\n", "A")]))
    assert loaded.questions == ("  b", "a", "A")
    assert loaded.duplicates == 2
    assert loaded.warnings == ()


# --- fields and values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        ({"problem": "p", "prompt": "r", "text": "t", "question": "q"}, None, "q"),
        ({"problem": "p", "prompt": "r", "text": "t"}, None, "t"),
        ({"problem": "p", "prompt": "r"}, None, "r"),
        ({"problem": "p", "answer": "a"}, None, "p"),
        ({"problem": "p", "answer": "a"}, "answer", "a"),
    ],
)
@pytest.mark.parametrize("name", ["q.jsonl", "q.csv", "q.parquet"])
def test_field(tmp_path: Path, name: str, row: dict[str, object], field: str | None, expected: str) -> None:
    data = {
        "q.jsonl": json_lines([row]).encode(),
        "q.csv": table(",", [row]).encode(),
        "q.parquet": parquet_bytes({key: [value] for key, value in row.items()}),
    }
    (tmp_path / name).write_bytes(data[name])
    assert load_benchmark(str(tmp_path / name), field=field).questions == (expected,)


@pytest.mark.parametrize("field", [None, "querstion"])
def test_unknown_field_lists_those_of_all_rows(tmp_path: Path, field: str | None) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json_lines([{"body": "a"}, {"q": "b"}, {"x" * 99: "c"}]))
    with pytest.raises(BenchmarkError, match=r"its fields are body, q, x{40}\.\.\.: name .* --field") as caught:
        load_benchmark(str(path), field=field)
    assert (field or "question, text, prompt, problem") in str(caught.value)


def test_field_missing_from_the_first_row_is_found(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.jsonl", json_lines([{"note": "read me"}, {"text": "Why?"}]))
    assert loaded.questions == ("Why?",)
    assert ": missing (line 1)." in loaded.warnings[0]


def test_a_stray_field_far_down_does_not_outvote_the_common_one(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"text": f"Why {n}?"} for n in range(500)]
    assert len(load(tmp_path, "q.jsonl", json_lines([*rows, {"question": "x"}])).questions) == 500


def test_unusable_rows_are_counted_and_named(tmp_path: Path) -> None:
    odd = [None, 12, 1.5, True, ["a", "list"], {"a": "dict"}, "", " \t", "half \ud83d", "Why?"]
    lines = [json.dumps({"id": 0}), *(json.dumps({"question": value}) for value in odd), "17", '"Who?"']
    loaded = load(tmp_path, "q.jsonl", "\n".join(lines))
    assert loaded.questions == ("Why?", "Who?")
    assert loaded.warnings == (
        f"Left out 11 of the 13 rows of {tmp_path / 'q.jsonl'}, whose question is no usable text: "
        "missing (line 1), null (line 2), number (3 lines: 3, 4, 12), true or false (line 5), "
        "list (line 6), object (line 7), blank (2 lines: 8, 9), lone surrogate (line 10).",
    )


def test_only_the_first_row_numbers_are_named(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.json", json.dumps([None] * 9 + ["Why?"]))
    assert ": null (9 rows: 1, 2, 3, 4, 5, ...)." in loaded.warnings[0]


def test_values_of_parquet_are_not_turned_into_text(tmp_path: Path) -> None:
    moment = datetime.datetime(2026, 1, 1)
    for value, kind in [(3, "number"), (b"x", "bytes"), (moment, "datetime")]:
        loaded = load(tmp_path, "q.parquet", parquet_bytes({"question": [value, None]}))
        assert loaded.questions == ()
        assert f": {kind} (row 1), null (row 2)." in loaded.warnings[0]


def test_rows_of_a_csv_are_named_by_the_line_on_which_they_begin(tmp_path: Path) -> None:
    loaded = load(tmp_path, "q.csv", 'question,id\n"a\nb",1\n\n,2\nc,3\n')
    assert loaded.questions == ("a\nb", "c")
    assert ": blank (line 5)." in loaded.warnings[0]


# --- files that can't be read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        pytest.param("q.jsonl", LINES + b'{"id": 3, "quest', {}, r"line 4 of .*q\.jsonl .* cut short", id="cut line"),
        pytest.param("q.jsonl", b'{"id":\n' + LINES, {}, "line 1 of", id="first line broken"),
        pytest.param("q.jsonl", LINES + b"[" * 100_000, {}, "line 4 of", id="nested too deeply"),
        pytest.param("q.jsonl", LINES + b"9" * 5_000, {}, "line 4 of", id="number too long"),
        pytest.param("q.json", json.dumps(ROWS, indent=1)[:-9], {}, "line 12 of .* cut short", id="cut array"),
        pytest.param("q.json", '{"train": [{}], "test": [{}]}', {}, r"\(train, test\): keep", id="two lists"),
        pytest.param("q.json", "{}", {}, r"its fields are \(none\)", id="no fields"),
        pytest.param("q.txt", b"Why?\nSof\xeda?", {}, "byte 0xed at offset 8 .* --encoding", id="not UTF-8"),
        pytest.param("q.txt", b"\xef\xbb\xbf\xed", {}, "at offset 3", id="offset behind a mark"),
        pytest.param(
            "q.txt", b"\xef\xbb\xbf\xed", {"encoding": "utf-8-sig"}, "at offset 3", id="offset told by utf-8-sig"
        ),
        pytest.param("q.txt", b"\xff\xfeW", {}, "isn't utf-16-le .* offset 2", id="half a UTF-16 unit"),
        pytest.param("q.txt", "Why?".encode("utf-16-le"), {}, "--encoding utf-16-le", id="UTF-16, no mark"),
        pytest.param("q.txt", "Why?".encode("utf-16-be"), {}, "--encoding utf-16-be", id="UTF-16 BE, no mark"),
        pytest.param("q.txt", "Zoë?".encode("utf-16-le"), {}, "--encoding utf-16-le", id="UTF-16, not UTF-8"),
        pytest.param(
            "q.txt", "a\0b".encode("utf-16-le"), {"encoding": "utf-16-le"}, "check that it is", id="NUL in UTF-16"
        ),
        pytest.param("q.txt", b"\xef\xbb\xbfa", {"encoding": "cp1252"}, "mark of utf-8.*leave out", id="mark denied"),
        pytest.param(
            "q.csv", "id,question\n1,a\n2,b,c\n", {}, r"line 3 of .*cells \(3\) .*header \(2\)", id="more cells"
        ),
        pytest.param(
            "q.csv", 'id,question\n1,"a\nb"\n2\n', {}, r"line 4 of .*cells \(1\) .*header \(2\)", id="fewer cells"
        ),
        pytest.param("q.csv", 'question,id\na,1\n"b,2\nc,3\n', {}, "line 3 of .* quotation", id="open quote"),
        pytest.param("q.csv", "question,question\na,b\n", {}, "more than one column 'question'", id="twin columns"),
        pytest.param("q.tsv", "id\tquestion\n1\n", {}, "line 2 of", id="fewer cells in a tsv"),
        pytest.param("q.jsonl.gz", gzip.compress(LINES)[:-9], {}, "cut short or damaged", id="cut gz"),
        pytest.param("q.jsonl.gz", gzip.compress(LINES)[:-8] + b"\0" * 8, {}, "damaged", id="gz checksum"),
        pytest.param("q.jsonl.gz", b"\x1f\x8b\x08\0" + b"\xff" * 40, {}, "damaged", id="gz rubbish"),
        pytest.param("q.parquet", PARQUET[:-9], {}, "isn't a sound Parquet file", id="cut parquet"),
        pytest.param("q.parquet", LINES, {}, "isn't a sound Parquet file", id="not parquet"),
        pytest.param("q.parquet", PARQUET, {"field": "text"}, "its fields are id, question", id="parquet field"),
        pytest.param("q.xlsx", b"PK", {}, r"end in \.jsonl, .*\.parquet, or one of these and \.gz", id="suffix"),
        pytest.param("gsm8k", b"Why?", {}, "can't be told from its name", id="no suffix"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, data: bytes | str, options: dict[str, str], message: str) -> None:
    with pytest.raises(BenchmarkError, match=message) as caught:
        load(tmp_path, name, data, **options)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["latin-0", "rot13", "hex", "no\0ne"])
def test_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(UsageError, match=r"no text encoding .* such as utf-8"):
        load(tmp_path, "q.txt", "Why?", encoding=encoding)


def test_closed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BenchmarkError, match=r"q\.jsonl can't be read \(Permission denied\): check"):
        load(tmp_path, "q.jsonl", LINES)


def test_file_in_a_closed_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str | Path, **_: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("contamcheck.benchmarks.os.stat", refuse)
    with pytest.raises(BenchmarkError, match=r"closed/q\.jsonl can't be read"):
        load_benchmark("closed/q.jsonl")
    with pytest.raises(UsageError, match="did you mean gsm8k"):
        load_benchmark("gsm8")


# --- standard input and FIFOs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(LINES, id="JSON lines"),
        pytest.param(json.dumps(ROWS, indent=1).encode(), id="array"),
        pytest.param(json.dumps(QUESTIONS).encode("utf-16"), id="array of strings, UTF-16"),
        pytest.param(json.dumps({"question": QUESTIONS}).encode(), id="columns"),
        pytest.param(gzip.compress(LINES), id="gz"),
        pytest.param(PARQUET, id="parquet"),
        pytest.param(gzip.compress(PARQUET), id="parquet.gz"),
    ],
)
def test_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    pipe_in(monkeypatch, data)
    assert load_benchmark("-") == Benchmark("-", QUESTIONS, None, 0, ())


def test_stdin_of_plain_lines_says_how_it_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe_in(monkeypatch, b"[1] Why?\n{x} How?\n")
    loaded = load_benchmark("-")
    assert loaded.questions == ("[1] Why?", "{x} How?")
    assert loaded.warnings == ("Each line of standard input was taken as one question.",)


def test_broken_json_on_stdin_is_not_taken_for_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe_in(monkeypatch, LINES + b'{"id"')
    with pytest.raises(BenchmarkError, match="line 4 of standard input"):
        load_benchmark("-")


def test_closed_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(BenchmarkError, match="standard input can't be read"):
        load_benchmark("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("name", ["pipe", "pipe.jsonl", "pipe.gz"])
def test_fifo_is_read_once(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    rows: list[dict[str, object]] = [{"question": f"Why {number}? " + "x" * 99} for number in range(2_000)]
    writer = threading.Thread(target=path.write_text, args=[json_lines(rows)], daemon=True)
    writer.start()
    assert len(load_benchmark(str(path)).questions) == 2_000  # a second opening would wait for ever
    writer.join(10)


# --- what a spec means -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gsm8", r"did you mean gsm8k\? .*\(demo, gsm8k, humaneval, mbpp\).*\.jsonl.*hf:.* -"),
        ("GSM8K", "did you mean gsm8k"),
        ("human_eval", "did you mean humaneval"),
        ("", "no benchmark ''"),
        ("zzz\0", "no benchmark"),
        ("missing.jsonl", r"no file missing\.jsonl"),
        ("openai/gsm8k", "no file openai/gsm8k: .* a dataset is written hf:"),
        ("folder", r"folder is a folder: .*hf:/.*folder:split:field"),
        ("hf:openai/gsm8k", r"write hf:dataset\[:config\]:split:field"),
        ("hf:a:b:c:d:e", "can't be understood"),
        ("hf:a::test:question", "can't be understood"),
    ],
)
def test_specs_that_mean_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=message):
        load_benchmark(spec)


def test_importing_stays_light() -> None:
    check = "import sys, contamcheck.benchmarks; print({'datasets', 'pyarrow', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# --- built-in benchmarks and the Hub ---------------------------------------------------------------------


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Hub out of reach, and an empty cache."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def folder(tmp_path: Path, hub: None) -> Path:
    """A dataset folder with one split."""
    path = tmp_path / "sums"
    path.mkdir()
    rows: list[dict[str, object]] = [*ROWS, {"id": 3, "question": None}, {"id": 4, "question": QUESTIONS[0]}]
    (path / "test.jsonl").write_text(json_lines(rows))
    return path


def test_cards() -> None:
    cards = builtin_cards()
    assert list(cards) == ["demo", "gsm8k", "humaneval", "mbpp"]
    for name, card in cards.items():
        assert card.name == name
        assert bool(card.file) != bool(card.source and card.split)
        assert type(card.first_public) is datetime.date
        assert card.title
        assert card.first_public_source
    assert {name: (card.source, card.config, card.split, card.field) for name, card in cards.items()} == {
        "demo": ("", None, "", "question"),
        "gsm8k": ("openai/gsm8k", "main", "test", "question"),
        "humaneval": ("openai/openai_humaneval", None, "test", "prompt"),
        "mbpp": ("google-research-datasets/mbpp", "full", "test", "text"),
    }


def test_packaged_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "questions.jsonl").write_bytes(LINES)
    monkeypatch.setattr("contamcheck.benchmarks.packaged_data", lambda: tmp_path)
    assert load_benchmark("demo") == Benchmark("demo", QUESTIONS, builtin_cards()["demo"], 0, ())


def test_a_folder_does_not_hide_a_card(hub: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_dataset(*args: object, **options: object) -> datasets.Dataset:
        calls.append((args, options))
        return datasets.Dataset.from_dict({"question": list(QUESTIONS), "answer": ["7", "8", "9"]})

    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    Path("gsm8k").mkdir()
    assert load_benchmark("gsm8k") == Benchmark("gsm8k", QUESTIONS, builtin_cards()["gsm8k"], 0, ())
    assert load_benchmark("gsm8k", field="answer").questions == ("7", "8", "9")
    pinned = {"split": "test", "revision": None, "trust_remote_code": False}
    assert calls == [(("openai/gsm8k", "main"), pinned)] * 2


def test_a_file_hides_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gsm8k").write_bytes(LINES)
    with pytest.raises(BenchmarkError, match="format of gsm8k can't be told"):
        load_benchmark("gsm8k")


@pytest.mark.parametrize("spec", ["gsm8k", "hf:openai/gsm8k:main:test:question"])
def test_a_folder_that_hides_a_dataset_is_refused(hub: None, spec: str) -> None:
    Path("openai/gsm8k").mkdir(parents=True)
    with pytest.raises(BenchmarkError, match=r"run from another folder, or write hf:\./openai/gsm8k:"):
        load_benchmark(spec)


@pytest.mark.parametrize("spec", ["gsm8k", "hf:nobody/none:test:question"])
def test_without_a_network(hub: None, spec: str) -> None:
    with pytest.raises(BenchmarkError, match="check the connection and try again, or save the questions") as caught:
        load_benchmark(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("config", ["", "default:"])
def test_dataset_folder(folder: Path, capfd: pytest.CaptureFixture[str], relative: bool, config: str) -> None:
    spec = f"hf:{'./sums' if relative else folder}:{config}test:question"
    loaded = load_benchmark(spec, field="ignored")
    assert (loaded.name, loaded.questions, loaded.duplicates) == (spec, QUESTIONS, 1)
    assert len(loaded.warnings) == 1
    assert ": null (row 4)." in loaded.warnings[0]
    assert capfd.readouterr().out == ""


def test_numbers_in_a_dataset_are_not_turned_into_text(folder: Path) -> None:
    loaded = load_benchmark(f"hf:{folder}:test:id")
    assert loaded.questions == ()
    assert ": number (5 rows: 1, 2, 3, 4, 5)." in loaded.warnings[0]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("sums:train:question", r"Unknown split .*test.*: check the configuration and the split"),
        ("sums:other:test:question", "'other' not found.*: check the configuration and the split"),
        ("sums:test:prompt", r"no field 'prompt'; its fields are id, question: name the one"),
        ("none:test:question", "check name and connection"),
        ("broken:test:question", "JSON parse error.* save the questions to a file"),
    ],
)
def test_what_a_dataset_may_lack(folder: Path, tmp_path: Path, rest: str, message: str) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "test.jsonl").write_text('{"question": "a"}\n{"quest')
    with pytest.raises(BenchmarkError, match=message) as caught:
        load_benchmark(f"hf:{tmp_path}/{rest}")
    assert "\n" not in str(caught.value)


# --- properties ------------------------------------------------------------------------------------------

TEXTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(str.strip),
    unique_by=str.strip,
    max_size=8,
)
FORMS: dict[str, Callable[[list[str]], str]] = {
    "lines.jsonl": lambda texts: json_lines([{"question": text} for text in texts]),
    "ascii.jsonl": lambda texts: json_lines([{"question": text} for text in texts], ascii_only=True),
    "strings.jsonl": lambda texts: "".join(json.dumps(text) + "\r\n" for text in texts),
    "array.json": lambda texts: json.dumps([{"question": text} for text in texts], ensure_ascii=False),
    "strings.json": lambda texts: json.dumps(texts, indent=0),
    "columns.json": lambda texts: json.dumps({"question": texts}),
    "wrapped.json": lambda texts: json.dumps({"n": 1, "rows": [{"question": text} for text in texts] or [None]}),
}


@settings(deadline=None, max_examples=60)
@given(texts=TEXTS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"]))
@pytest.mark.parametrize("name", FORMS)
def test_json_round_trip(tmp_path_factory: pytest.TempPathFactory, name: str, texts: list[str], encoding: str) -> None:
    options = {"encoding": encoding} if encoding == "utf-16-le" else {}
    loaded = load(tmp_path_factory.getbasetemp(), name, FORMS[name](texts).encode(encoding), **options)
    assert loaded.questions == tuple(texts)


@settings(deadline=None, max_examples=60)
@given(texts=TEXTS, separator=st.sampled_from(",;\t|"), end=st.sampled_from(["\n", "\r\n"]), lone=st.booleans())
def test_csv_round_trip(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], separator: str, end: str, lone: bool
) -> None:
    texts = [text for text in texts if "\0" not in text]
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([["question"] if lone else ["id", "question", "answer"]])
    writer.writerows([text] if lone else ["0", text, "7"] for text in texts)
    loaded = load(tmp_path_factory.getbasetemp(), "round.csv", file.getvalue().encode())
    assert loaded.questions == tuple(texts)


@settings(deadline=None, max_examples=60)
@given(texts=TEXTS)
def test_parquet_round_trip(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    data = parquet_bytes({"question": [*texts, None]})
    assert load(tmp_path_factory.getbasetemp(), "round.parquet", data).questions == tuple(texts)


@settings(deadline=None, max_examples=300)
@given(
    data=st.binary(max_size=60) | st.text('[]{}":,\n\r\\ a1', max_size=40).map(str.encode),
    start=st.sampled_from([b"", b"\x1f\x8b\x08", b"PAR1", b"\xff\xfe", b"\xff\xfe\0\0", b"\xef\xbb\xbf", LINES]),
    suffix=st.sampled_from([".jsonl", ".json", ".csv", ".tsv", ".txt", ".parquet"]),
    encoding=st.sampled_from([None, "utf-8", "utf-16", "utf-7", "cp1252", "idna", "shift_jis"]),
)
def test_rubbish_is_loaded_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: bytes, suffix: str, encoding: str | None
) -> None:
    path = tmp_path_factory.getbasetemp() / f"rubbish{suffix}"
    path.write_bytes(start + data)
    with contextlib.suppress(ContamcheckError):
        assert all(question.strip() for question in load_benchmark(str(path), encoding=encoding).questions)


# --- real benchmarks -------------------------------------------------------------------------------------


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
@pytest.mark.parametrize(
    ("name", "usable", "duplicates"),
    [("gsm8k_test.jsonl", 1319, 0), ("humaneval.jsonl.gz", 164, 0), ("mbpp.jsonl", 970, 4)],
)
def test_real_files(name: str, usable: int, duplicates: int) -> None:
    loaded = load_benchmark(str(Path(os.environ["CONTAMCHECK_DATA"]) / name))
    assert (len(loaded.questions), loaded.duplicates, loaded.warnings) == (usable, duplicates, ())
    if name.startswith("humaneval"):  # code keeps the line breaks around it
        assert loaded.questions[0].endswith('"""\n')


def test_demo_is_packaged() -> None:
    card = builtin_cards()["demo"]
    loaded = load_benchmark("demo")
    assert loaded.card is card
    assert len(loaded.questions) >= 20
    assert (loaded.duplicates, loaded.warnings) == (0, ())
