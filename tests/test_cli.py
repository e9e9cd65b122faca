"""The command line: verdicts, exit statuses, sentences, and what goes to which stream."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from samples import QUESTIONS

from contamcheck import __version__, cli
from contamcheck.reports.terminal import VERDICTS

FAKE = ("--runner", "fake", "--reference", "other")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def leak(path: Path, count: int) -> tuple[str, str]:
    path.write_text("\n".join(QUESTIONS[:count]), encoding="utf-8")
    return ("--runner-arg", f"memorised={path}")


def test_contaminated(capsys: pytest.CaptureFixture[str], benchmark_file: Path, tmp_path: Path) -> None:
    memory = leak(tmp_path / "leak.txt", 30)
    status, out, err = run(capsys, "x", str(benchmark_file), *FAKE, *memory)
    assert status == 1
    assert VERDICTS["likely"][0] in out
    assert "reference: other" in out
    assert "60 questions, control: twins" in out
    assert "5% expected by chance (p < 0.001)" in out
    assert out.count("% of its details recalled)") == 3
    assert "Most suspicious (min-k):" in out
    assert "completion: x, 120 texts" in err


def test_clean(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    status, out, _ = run(capsys, "check", "x", str(benchmark_file), *FAKE)
    assert status == 0
    assert VERDICTS["none"][0] in out
    assert "Most suspicious" not in out


def test_weak_signal(capsys: pytest.CaptureFixture[str], benchmark_file: Path, tmp_path: Path) -> None:
    memory = leak(tmp_path / "leak.txt", 5)
    status, out, _ = run(capsys, "x", str(benchmark_file), *FAKE, *memory, "--tests", "completion")
    assert status == 0
    assert VERDICTS["possible"][0] in out
    assert "-n" in out


def test_json_and_nothing_else(capsys: pytest.CaptureFixture[str], benchmark_file: Path, tmp_path: Path) -> None:
    memory = leak(tmp_path / "leak.txt", 30)
    status, out, _ = run(capsys, "--json", "x", str(benchmark_file), *FAKE, *memory, "-n", "40", "--seed", "3")
    content = json.loads(out)
    assert status == 1
    assert content["schema_version"] == 1
    assert content["verdict"] == "likely"
    # 0.1.0's keys
    assert (content["model"], content["reference"], content["questions"], content["skipped"]) == ("x", "other", 40, 0)
    assert content["control"] == "twins"
    assert [test["name"] for test in content["tests"]] == ["likelihood", "completion", "min-k"]
    first = content["tests"][1]
    assert first.keys() >= {"name", "description", "n", "flagged", "threshold", "p_value", "bench_mean", "control_mean",
                            "examples", "rate", "status"}  # fmt: skip
    assert (first["name"], first["status"]) == ("completion", "fail")
    # enough to repeat it
    assert content["settings"]["seed"] == 3
    assert content["settings"]["runner_args"]["memorised"].endswith("leak.txt")
    assert content["versions"]["contamcheck"] == __version__
    assert content["target_model"]["numerics"]["dtype"] == "float64"
    assert len(content["question_texts"]) == len(content["control_texts"]) == len(first["scores"]) == 40
    flagged = sum(score is not None and score > first["threshold"] for score in first["scores"])
    assert flagged == first["flagged"]


def test_seed_decides_everything(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    outs = [run(capsys, "x", str(benchmark_file), *FAKE, "--json", "--seed", seed)[1] for seed in ("1", "1", "2")]
    assert outs[0] == outs[1]
    assert json.loads(outs[0])["control_texts"] != json.loads(outs[2])["control_texts"]


def test_control_questions(capsys: pytest.CaptureFixture[str], benchmark_file: Path, tmp_path: Path) -> None:
    memory = leak(tmp_path / "leak.txt", 60)
    fresh = tmp_path / "fresh.txt"
    fresh.write_text("\n".join(question.replace("Monday", "Friday") for question in QUESTIONS[:40]), encoding="utf-8")
    status, out, _ = run(capsys, "x", str(benchmark_file), *FAKE, *memory, "--control", str(fresh))
    assert status == 1
    assert "control: control questions" in out


def test_control_questions_of_the_benchmark_are_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, control = tmp_path / "half.txt", tmp_path / "all.txt"
    path.write_text("\n".join(QUESTIONS[:30]), encoding="utf-8")
    control.write_text("\n".join(QUESTIONS), encoding="utf-8")
    status, out, err = run(capsys, "x", str(path), *FAKE, "--control", str(control), "--json")
    assert status == 0
    assert "30 of the control questions stand in the benchmark too and were left out" in err
    assert not set(json.loads(out)["control_texts"]) & set(QUESTIONS[:30])
    status, _, err = run(capsys, "x", str(path), *FAKE, "--control", str(path))
    assert status == 2
    assert "only 0 usable control questions" in err


def test_own_reference_is_warned_about(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    status, out, err = run(capsys, "x", str(benchmark_file), "--runner", "fake", "--reference", "x")
    assert status == 0
    assert "the reference is the model under test itself, so min-k and likelihood can't flag" in err
    assert "min-k: 0% of questions flagged (0/60)" in out


def test_without_reference(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    status, out, err = run(capsys, "x", str(benchmark_file), "--runner", "fake", "--reference", "none")
    assert status == 0
    assert "without a reference, what a clean model prefers anyway counts as evidence" in err
    assert "reference:" not in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("x", "{file}", *FAKE, "--tests", "vibes"), "no test vibes; choose from likelihood, completion, min-k"),
        (("x", "{file}", *FAKE, "--tests", ","), "choose from likelihood, completion, min-k"),
        (("x", "{file}", *FAKE, "-n", "19"), "at least 20 questions"),
        (("x", "{file}", *FAKE, "-n", "-5"), "at least 20 questions"),
        (("x", "{file}", *FAKE, "--seed", "-1"), "the seed must be 0 or more"),
        (("x", "{file}", *FAKE, "--batch-size", "0"), "the batch size must be at least 1"),
        (("x", "{file}", *FAKE, "--runner-arg", "memorised"), "isn't of the form KEY=VALUE"),
        (("x", "{file}", *FAKE, "--runner-arg", "memorised=/no/such"), "can't read the memorised texts"),
        (("x", "{file}", *FAKE, "--field", "answer"), "answer"),
        (("x", "nothing", *FAKE), "there is no benchmark 'nothing'"),
        (("x", "{file}", *FAKE, "--control", "no.jsonl"), "there is no file no.jsonl"),
        (("./none", "{file}"), "there is no folder ./none"),
        (("x", "{file}", "--runner", "warp"), "there is no runner warp"),
        (("x", "{file}", *FAKE, "--trust-remote-code"), "doesn't take trust_remote_code"),
        (("x", "{file}", *FAKE, "--runner-arg", "trust_remote_code=false"), "use --trust-remote-code"),
        (("x", "{file}", *FAKE, "--runner-arg", "batch_size=0"), "--runner-arg can't set batch_size; use --batch-size"),
        (("x", "{file}", *FAKE, "--runner-arg", "model=y"), "--runner-arg can't set model"),
        (("x", "{file}", *FAKE, "--runner-arg", "name=y"), "doesn't take name"),
        (("x", "{file}", *FAKE, "--runner-arg", "=y"), "isn't of the form KEY=VALUE"),
        (("x", "{file}", *FAKE, "--runner-arg", "max_tokens=abc"), "n_ctx as 'abc', which is no length"),
        (("x", "{file}", *FAKE, "--runner-arg", "max_tokens=5"), "x takes only 5 tokens, too few for any question"),
        (("x", "{file}", *FAKE, "--field="), "--field is empty"),
        (("x", "{file}", *FAKE, "--encoding="), "--encoding is empty"),
        (("x", "-", *FAKE, "--control", "-"), "standard input can be read once"),
        (("demo:../demo/clean", "demo"), "there is no embedded model"),
        (("./x\x1b[2J", "{file}"), "there is no folder ./x\N{REPLACEMENT CHARACTER}[2J"),
    ],
)  # fmt: skip
def test_bad_usage_is_one_sentence(
    capsys: pytest.CaptureFixture[str], benchmark_file: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    status, out, err = run(capsys, *(argument.replace("{file}", str(benchmark_file)) for argument in arguments))
    assert status == 2
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err
    assert "\x1b" not in err
    assert err.splitlines()[-1].startswith("contamcheck: ")


@pytest.mark.parametrize("arguments", [("x",), (), ("x", "y", "--no-such-option"), ("x", "y", "-n", "many")])
def test_wrong_command_lines(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    status, _, _ = run(capsys, *arguments)
    assert status == 2


@pytest.mark.parametrize(
    "text", ["", "\n".join(QUESTIONS[:7]), "\n".join(["no number in any of these eight words"] * 30)]
)
def test_too_few_questions(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "few.txt"
    path.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "x", str(path), *FAKE)
    assert status == 2
    assert f"only {len(text.splitlines()) if '12' in text or '10' in text else 0} usable questions, at least 20" in err


def test_a_long_question_is_left_out_and_counted(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    with benchmark_file.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"question": QUESTIONS[0] + " and so on with 12" * 100}) + "\n")
    status, out, _ = run(capsys, "x", str(benchmark_file), *FAKE, "--runner-arg", "max_tokens=150")
    assert status == 0
    assert "60 questions, control: twins (1 skipped: 1 too long for the model)" in out


def test_all_questions_too_long(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    status, _, err = run(capsys, "x", str(benchmark_file), *FAKE, "--runner-arg", "max_tokens=90")
    assert status == 2
    assert "longer than the 90 tokens that x takes" in err


def test_a_test_without_enough_scores_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "front.txt"
    path.write_text(
        "\n".join(
            f"With {at} coins in hand one goes to the market and buys bread and milk" if at % 2 else f"Take {at}"
            for at in range(10, 90)
        )
    )
    status, out, _ = run(capsys, "x", str(path), *FAKE)
    assert status == 0
    assert "completion: not tested, only 0 questions can be scored, 20 are needed" in out
    status, _, err = run(capsys, "x", str(path), *FAKE, "--tests", "completion")
    assert status == 2
    assert "only 0 questions can be scored" in err


def test_duplicates_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text("\n".join(QUESTIONS + QUESTIONS[:20]), encoding="utf-8")
    _, out, _ = run(capsys, "x", str(path), *FAKE)
    assert "60 questions, control: twins (20 skipped: 20 equal to another)" in out


def test_markup_and_control_characters_are_shown_as_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = [f"[red]{question[:40]}\x1b[31m <b>{question[40:]}" for question in QUESTIONS]
    path, memory = tmp_path / "markup.jsonl", tmp_path / "leak.txt"
    path.write_text("\n".join(json.dumps({"question": text}) for text in texts), encoding="utf-8")
    memory.write_text("\n".join(texts), encoding="utf-8")
    status, out, _ = run(capsys, "x", str(path), *FAKE, "--runner-arg", f"memorised={memory}")
    assert status == 1
    assert "“[red]" in out
    assert "\N{REPLACEMENT CHARACTER}[31m" in out
    assert "\x1b" not in out


def test_models_named_like_a_command_are_reachable(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    status, out, _ = run(capsys, "check", "demo", str(benchmark_file), *FAKE)
    assert (status, "model: demo" in out) == (0, True)


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version")[:2] == (0, f"contamcheck {__version__}\n")
    for arguments in (["--help"], ["-h"], ["check", "--help"]):
        status, out, _ = run(capsys, *arguments)
        assert status == 0
        assert "MODEL" in out
        assert "BENCHMARK" in out


def test_an_unexpected_error_does_not_look_like_a_finding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise RuntimeError("the disk is on fire\nand more")

    monkeypatch.setattr(cli, "audit", fail)
    status, out, err = run(capsys, "x", "y")
    assert (status, out) == (2, "")
    assert "unexpected RuntimeError: the disk is on fire (set CONTAMCHECK_TRACEBACK=1" in err
    monkeypatch.setenv("CONTAMCHECK_TRACEBACK", "1")
    assert "Traceback" in run(capsys, "x", "y")[2]


def test_twins_are_shown_beside_their_questions(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "twins", "demo", "-n", "3", "--twins", "numbers", "--twins-per-question", "4")
    blocks = out.strip().split("\n\n")
    assert status == 0
    assert len(blocks) == 3
    for block in blocks:
        head, original, *twins = block.splitlines()
        assert head.startswith("numbers, ")
        assert len(twins) == 4
        assert any("[" in twin for twin in twins)
        plain = [re.sub(r"\d+", "#", line).replace("[", "").replace("]", "") for line in (original, *twins)]
        assert len(set(plain)) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("demo", "-n", "0"), "at least 1 question and 1 twin are needed, and a seed of 0 or more"),
        (("demo", "--seed", "-1"), "a seed of 0 or more"),
        (("demo", "--twins", "vowels"), "choose from auto, names, details, numbers, all"),
        (("nothing",), "there is no benchmark 'nothing'"),
        (("{empty}",), "no question has a detail that can be swapped"),
    ],
)
def test_wrong_usage_of_twins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    status, out, err = run(capsys, "twins", *(a.replace("{empty}", str(tmp_path / "empty.txt")) for a in arguments))
    assert (status, out) == (2, "")
    assert sentence in err


def test_the_kind_and_number_of_twins(capsys: pytest.CaptureFixture[str], benchmark_file: Path) -> None:
    options = ("--twins", "names", "--twins-per-question", "3", "--json")
    status, out, _ = run(capsys, "x", str(benchmark_file), *FAKE, *options)
    content = json.loads(out)
    assert status == 0
    assert {len(twins) for twins in content["twin_texts"]} == {3}
    assert [twins[0] for twins in content["twin_texts"]] == content["control_texts"]
    assert [stratum["families"] for stratum in content["strata"]] == [["names"]]
    assert content["strata"][0]["reference"]["n"] > 0
    for question, twins in zip(content["question_texts"], content["twin_texts"], strict=True):
        assert {re.sub("Ada|Ben|Dan|Eva|Cleo|Finn", "#", text) for text in (question, *twins)} == {
            re.sub("Ada|Ben|Dan|Eva|Cleo|Finn", "#", question)
        }
    for wrong in (("--twins", "vowels"), ("--twins-per-question", "0")):
        assert run(capsys, "x", str(benchmark_file), *FAKE, *wrong)[0] == 2


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "contamcheck", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_as_a_module_with_the_embedded_model() -> None:
    with start("demo:leaked", "demo", "--tests", "likelihood", "--json") as process:
        out, err = process.communicate()
    assert process.returncode == 1, err
    assert json.loads(out)["reference"] == "demo:reference"
    assert "\x1b" not in out


def test_ctrl_c_is_no_finding() -> None:
    with start("demo:clean", "demo") as process:
        assert process.stderr is not None
        assert any("texts" in line for line in process.stderr)  # it has begun to score
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 2
    assert "interrupted" in err
    assert "Traceback" not in err


def test_a_reader_that_goes_away_is_no_finding() -> None:
    with start("demo:leaked", "demo", "--tests", "likelihood", "--json") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert process.returncode == 2
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "streams"),
    [
        (("demo:leaked", "demo", "--tests", "likelihood"), "| true"),
        (("check", "--help"), "| true"),
        (("--version",), "> /dev/full"),
        (("--help",), "> /dev/full"),
        (("demo:leaked", "demo", "--tests", "likelihood"), "> /dev/full"),
        (("demo:leaked", "demo", "--tests", "likelihood"), "2> /dev/full"),
        (("x", "nothing"), "2> /dev/full"),
        (("demo:clean", "demo", "--tests", "likelihood"), ">&-"),
    ],
)
def test_a_stream_that_takes_nothing_is_no_finding(arguments: tuple[str, ...], streams: str) -> None:
    command = shlex.join([sys.executable, "-m", "contamcheck", *arguments])
    script = f"set -o pipefail; {command} {streams}"
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert process.returncode == 2
    assert "Traceback" not in process.stderr


def test_demo_reaches_both_verdicts_and_prints_the_dose(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is about the embedded ones, whatever stands in the working directory.
    (tmp_path / "demo").write_text("mine", encoding="utf-8")
    (tmp_path / "demo:clean").mkdir()
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(capsys, "demo")
    assert status == 0
    clean, leaked = out.split("demo:leaked: ")
    assert VERDICTS["none"][0] in clean
    assert VERDICTS["likely"][0] in leaked
    assert "200 of the benchmark's 400 questions were mixed in among 12000 other problems, 6 times each." in leaked
