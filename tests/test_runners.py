"""Every runner against the contract, hf and onnx against each other, and models that can't be used."""

import importlib.util
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import QUESTIONS
from tiny_models import KINDS, Kind, save_model

from contamcheck import runners
from contamcheck.errors import MissingExtraError, RunnerError, TextTooLongError, UsageError
from contamcheck.runners import load_runner, pick_runner, runner_names
from contamcheck.runners.base import Runner, TokenLogprobs
from contamcheck.runners.contract import LONG, LONGER, SHORT, check_contract, self_test
from contamcheck.runners.fake import FakeRunner

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "benchmarks_data" / "demo"


def export_module() -> Any:
    path = ROOT / "experiments" / "onnx_export.py"
    if not path.exists():
        pytest.skip("experiments/ isn't part of this installation")
    spec = importlib.util.spec_from_file_location("onnx_export", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Kind], Path]:
    """Folder of a tiny model, made once a kind."""
    made: dict[str, Path] = {}

    def make(kind: Kind) -> Path:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            save_model(folder, kind)
            made[kind] = folder
        return made[kind]

    return make


@pytest.fixture
def broken(tmp_path: Path, tiny: Callable[[Kind], Path]) -> Path:
    """A copy of a tiny model, to be broken."""
    return Path(shutil.copytree(tiny("llama"), tmp_path / "model"))


# --- the contract ----------------------------------------------------------------------------------------


def test_fake_keeps_the_contract() -> None:
    with FakeRunner("parrot", memorised=QUESTIONS[:3], max_tokens=100) as runner:
        check_contract(runner)


@pytest.mark.parametrize("name", ["clean", "leaked", "reference"])
def test_embedded_models_keep_the_contract(name: str) -> None:
    with load_runner("auto", f"demo:{name}") as runner:
        check_contract(runner)
        assert (runner.model, runner.numerics.device, runner.revision) == (f"demo:{name}", "cpu", None)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_hf_keeps_the_contract(kind: Kind, tiny: Callable[[Kind], Path]) -> None:
    with load_runner("hf", str(tiny(kind))) as runner:
        if kind == "bare":
            self_test(runner)
        else:
            check_contract(runner)
        assert runner.max_tokens == 160
        assert runner.numerics.dtype == "float32"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the exporter's own, of torch's deprecations
@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_onnx_agrees_with_hf(kind: Kind, cache: bool, tiny: Callable[[Kind], Path], tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="needs contamcheck[test]")
    folder = tiny(kind)
    export = export_module()
    export.export(*export.load(folder), tmp_path, cache=cache)
    texts = [*QUESTIONS[:9], SHORT, LONG, "<s> 小明有12个"]
    with load_runner("onnx", str(tmp_path)) as onnx, load_runner("hf", str(folder)) as hf:
        check_contract(onnx)
        for start in (False, True):
            for ours, theirs in zip(
                onnx.token_logprobs(texts, start=start), hf.token_logprobs(texts, start=start), strict=True
            ):
                assert ours.token_ids.tolist() == theirs.token_ids.tolist()
                assert ours.offsets.tolist() == theirs.offsets.tolist()
                np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=1e-4)
        assert onnx.complete(texts, 12) == hf.complete(texts, 12)
        assert onnx.max_tokens == hf.max_tokens
        assert hf.n_params <= onnx.n_params <= 5 * hf.n_params  # of such a tiny file, the graph is the larger part


@pytest.mark.slow
def test_hf_scores_are_those_of_a_plain_forward_pass(tmp_path: Path) -> None:
    model, tokenizer = save_model(tmp_path, "gpt2")
    import torch

    text = QUESTIONS[0]
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    ids = torch.tensor([tokenizer.backend_tokenizer.encode(text).ids])
    with torch.no_grad():
        expected = torch.log_softmax(model(ids).logits.double(), -1)[0, :-1].gather(1, ids[0, 1:, None])[:, 0]
        greedy = model.generate(ids, max_new_tokens=9, do_sample=False, repetition_penalty=1.0, no_repeat_ngram_size=0)
    with load_runner("hf", str(tmp_path), batch_size=2) as runner:
        # In one call with others of other lengths
        scored = runner.token_logprobs([LONG, SHORT, text, LONGER])[2]
        np.testing.assert_allclose(scored.logprobs, expected.numpy(), atol=1e-5)
        assert scored.token_ids.tolist() == ids[0, 1:].tolist()
        new = greedy[0, ids.shape[1] :].tolist()
        assert runner.complete([text], 9)[0] == tokenizer.decode(new, skip_special_tokens=True)


def test_too_long_texts_are_named_before_anything_is_scored() -> None:
    with FakeRunner("parrot", max_tokens=10) as runner:
        with pytest.raises(TextTooLongError, match=r"at most 10 tokens; too long: text 1 \(11 tokens\)") as caught:
            runner.token_logprobs(["two words", "a b c d e f g h i j k"])
        assert caught.value.lengths == {1: 11}


# --- the self-test catches what has spoilt scores elsewhere ----------------------------------------------


class Spoilt(FakeRunner):
    def __init__(self, spoil: Callable[[list[TokenLogprobs], Sequence[str]], list[TokenLogprobs]]) -> None:
        super().__init__("spoilt")
        self.spoil = spoil

    def token_logprobs(self, texts: Sequence[str], *, start: bool = False) -> list[TokenLogprobs]:
        return self.spoil(super().token_logprobs(texts, start=start), texts)


def changed(result: TokenLogprobs, by: float) -> TokenLogprobs:
    return TokenLogprobs(result.token_ids, result.logprobs + by, result.offsets)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda results, texts: [changed(one, -0.1 * len(texts)) for one in results], "what else is in the batch"),
        (
            lambda results, texts: (
                [changed(one, -0.1 * at) for at, one in enumerate(results)]
                if len(texts) > 1 and texts[0] == LONGER
                else results
            ),
            "order of the texts",
        ),
        (
            lambda results, texts: [changed(one, -0.01 * len(text)) for one, text in zip(results, texts, strict=True)],
            "isn't a causal language model",
        ),
        (
            lambda results, texts: [
                TokenLogprobs(one.token_ids, np.roll(one.logprobs, 1), one.offsets) for one in results
            ],
            "isn't",
        ),
    ],
)
def test_self_test_refuses(spoil: Any, fault: str) -> None:
    with pytest.raises(RunnerError, match=fault):
        self_test(Spoilt(spoil))


# --- models that can't be used ---------------------------------------------------------------------------


@pytest.mark.slow
def test_nan_weights(broken: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(broken / "model.safetensors")
    weights["model.norm.weight"] = torch.full_like(weights["model.norm.weight"], float("nan"))
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(RunnerError, match=r"\(float32 on cpu\) gives log-probabilities that aren't finite"):
        load_runner("hf", str(broken))


@pytest.mark.slow
def test_missing_weights_are_not_made_up(broken: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(broken / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(RunnerError, match="lack 1 weights, such as"):
        load_runner("hf", str(broken))


@pytest.mark.slow
def test_encoder_only_model(broken: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="needs contamcheck[hf]")
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=400, initializer_range=0.5, **shape)
    transformers.BertForMaskedLM(config).save_pretrained(broken)
    with pytest.raises(RunnerError, match="isn't a causal language model"):
        load_runner("hf", str(broken))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"adapter_config.json": "{}"}, "holds a PEFT adapter only; merge it"),
        ({}, "has no config.json"),
        ({"config.json": '{"model_type": "llama"}'}, "holds no weights; save the model as safetensors"),
        ({"config.json": '{"model_type": "llama"}', "pytorch_model.bin": "x"}, "only pytorch_model.bin"),
        ({"config.json": "{", "model.safetensors": "x"}, "can't load"),
        ({"config.json": '{"model_type": "llama"}', "model.safetensors": "x"}, "can't load"),
    ],
)
def test_folders_without_a_model(files: dict[str, str], sentence: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs contamcheck[hf]")
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(RunnerError, match=sentence):
        load_runner("hf", str(tmp_path))


@pytest.mark.slow
def test_hub_names_that_cannot_be_reached() -> None:
    pytest.importorskip("transformers", reason="needs contamcheck[hf]")
    with pytest.raises(RunnerError, match=r"can't load nobody/nothing: .*the Hub can't be reached"):
        load_runner("hf", "nobody/nothing")


def test_onnx_folders_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="holds no ONNX file"):
        load_runner("onnx", str(tmp_path))
    (tmp_path / "model.onnx").write_bytes(b"rubbish")
    with pytest.raises(RunnerError, match="can't load"):
        load_runner("onnx", str(tmp_path))
    with pytest.raises(RunnerError, match=r"the Hub can't be reached"):
        load_runner("onnx", "nobody/nothing")


def test_onnx_file_is_chosen_by_name(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DEMO / "clean", tmp_path / "model"))
    (folder / "model.onnx").rename(folder / "a.onnx")
    shutil.copy(folder / "a.onnx", folder / "b.onnx")
    with pytest.raises(UsageError, match=r"choose one with --runner-arg file=NAME"):
        load_runner("onnx", str(folder))
    with load_runner("onnx", str(folder), file="b.onnx") as runner:
        assert runner.complete([QUESTIONS[0]], 3)


def test_onnx_without_a_tokenizer(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DEMO / "clean", tmp_path / "model"))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(RunnerError, match=r"has no usable tokenizer\.json"):
        load_runner("onnx", str(folder))


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("config.json", None, r"has no config\.json"),
        ("generation_config.json", '{"eos_token_id": "x"}', "eos_token_id 'x', which is no token id"),
        ("config.json", '{"n_ctx": "x"}', "n_ctx as 'x', which is no length"),
        ("config.json", "{", "can't be read as JSON"),
        ("model.onnx", "version https://git-lfs.github.com/spec/v1", "is cut short or no ONNX file at all"),
    ],
)
def test_onnx_folders_with_a_broken_file(file: str, content: str | None, sentence: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DEMO / "clean", tmp_path / "model"))
    (folder / file).unlink(missing_ok=True)
    if content is not None:
        (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(RunnerError, match=sentence):
        load_runner("onnx", str(folder))


def test_a_tokenizer_of_another_model(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DEMO / "clean", tmp_path / "model"))
    settings = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    settings["model"]["vocab"] = {token: at + 100_000 for token, at in settings["model"]["vocab"].items()}
    (folder / "tokenizer.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(RunnerError, match="can't be run on onnxruntime"):
        load_runner("onnx", str(folder))


# --- which runner, and plug-ins --------------------------------------------------------------------------


def test_auto_takes_onnx_where_the_folder_holds_nothing_else() -> None:
    assert pick_runner(str(DEMO / "clean")) == "onnx"
    assert pick_runner("demo:leaked") == "onnx"


def test_missing_library_is_one_sentence_that_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runners, "find_spec", lambda module: None)
    with pytest.raises(RunnerError, match="it has neither ONNX files nor a config"):
        pick_runner(str(tmp_path))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(MissingExtraError, match=r"needs torch.* pip install 'contamcheck\[hf\]'"):
        pick_runner(str(tmp_path))
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "contamcheck.runners.hf", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'contamcheck\[hf\]'"):
        load_runner("hf", str(tmp_path))


def test_another_import_error_passes_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = runners.BuiltIn("contamcheck.no_such_module:X", "hf", ("torch",))
    monkeypatch.setattr(runners, "BUILT_IN", {"fake": broken})
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_runner("fake", "x")


def test_unknown_names_and_options() -> None:
    with pytest.raises(UsageError, match="there is no runner vllmm; there are auto, hf, onnx, fake"):
        load_runner("vllmm", "x")
    with pytest.raises(UsageError, match="doesn't take colour; it takes memorised, max_tokens"):
        load_runner("fake", "x", colour="red")
    with pytest.raises(UsageError, match="there is no embedded model demo:none; there are demo:clean"):
        load_runner("onnx", "demo:none")
    with pytest.raises(UsageError, match="runs on the cpu only"):
        load_runner("onnx", "demo:clean", device="cuda")


def test_plugins_are_found_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    entry = EntryPoint("echo", "contamcheck.runners.fake:FakeRunner", runners.GROUP)
    found = EntryPoints([entry])
    monkeypatch.setattr(runners, "entry_points", lambda **wanted: found.select(**wanted))
    assert runner_names() == ["hf", "onnx", "fake", "echo"]
    with load_runner("echo", "x") as runner:
        assert isinstance(runner, Runner)
    found = EntryPoints([entry, entry])
    with pytest.raises(RunnerError, match="both bring a runner echo"):
        load_runner("echo", "x")
