"""Hugging Face transformers on torch: CUDA, MPS or CPU."""

import gc
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import accelerate  # noqa: F401  # transformers asks for it only while loading, and then less clearly
import numpy as np
import safetensors  # noqa: F401  # the same
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig
from transformers.utils import logging

from contamcheck.errors import RunnerError, UsageError
from contamcheck.runners.base import Numerics, TokenRunner
from contamcheck.runners.source import ModelSource, loading_error
from contamcheck.runners.tokens import TextEncoder, budget_for, context_length, end_tokens

MOST_TOKENS = {"cuda": 16_384, "mps": 4_096, "cpu": 2_048}
# Rows whose logits are widened to float32 at once.
ROWS = 1_024


class HFRunner(TokenRunner):
    """A causal language model in transformers.

    float32 on CPU and MPS (16-bit attention on MPS has let tokens see later ones: pytorch issue 195910), the
    checkpoint's own type on CUDA; the log-softmax is float32 everywhere.

    Parameters
    ----------
    model : str
        Folder, or Hub repository as ``NAME`` or ``NAME@REVISION``; its weights must be safetensors.
    device : str, optional
        ``cuda``, ``mps`` or ``cpu``; the best available by default.
    batch_size : int, optional
        Most texts in a batch.
    trust_remote_code : bool
        Run Python code that the repository brings.

    Raises
    ------
    UsageError
        When the device isn't there.
    RunnerError
        When the model can't be loaded or isn't a complete causal language model.
    """

    def __init__(
        self,
        model: str,
        *,
        device: str | None = None,
        batch_size: int | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        source = ModelSource.parse(model)
        _check_folder(source)
        self.model = model
        self.batch_size = batch_size
        self._device = _device(device)
        self._network, tokenizer = _load(source, self._device, trust_remote_code)
        config = self._network.config
        self.revision = getattr(config, "_commit_hash", None)
        self.n_params = int(self._network.num_parameters())
        self.max_tokens = context_length(config.to_dict(), tokenizer.model_max_length)
        self.token_budget = budget_for(self._network.get_output_embeddings().weight.shape[0], MOST_TOKENS[self._device])
        self.numerics = Numerics(
            f"transformers {version('transformers')}, torch {torch.__version__}",
            str(self._network.dtype).removeprefix("torch."),
            self._device,
        )
        begin, end = tokenizer.bos_token_id, tokenizer.eos_token_id
        self.encoder = TextEncoder(tokenizer.backend_tokenizer, end if begin is None else begin)
        self.end_ids = end_tokens(self._network.generation_config.eos_token_id, end)
        # What the model's files ask for (sampling, repetition penalties) would hide what it remembers, and
        # generate() mixes it in wherever the caller leaves a field open.
        self._network.generation_config = GenerationConfig(eos_token_id=sorted(self.end_ids) or None)

    def close(self) -> None:
        """Free the model's memory."""
        del self._network
        gc.collect()
        if self._device == "cuda":
            torch.cuda.empty_cache()

    def _score(self, batch: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        # Right padding behind a causal model reaches no scored token, and without a mask the fast kernels stay on.
        ids = torch.zeros((len(batch), max(map(len, batch))), dtype=torch.long)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = torch.tensor(tokens)
        ids = ids.to(self._device)
        scores = []
        with torch.inference_mode():
            logits = self._network(input_ids=ids, use_cache=False).logits
            for row, tokens in enumerate(batch):
                pieces = zip(
                    logits[row, : len(tokens) - 1].split(ROWS),
                    ids[row, 1 : len(tokens)].split(ROWS),
                    strict=True,
                )
                scores.append(torch.cat([_picked(rows.float(), targets) for rows, targets in pieces]))
        return [row.double().cpu().numpy() for row in scores]

    def _generate(self, batch: Sequence[Sequence[int]], max_new_tokens: int) -> list[list[int]]:
        ids = torch.tensor(batch, device=self._device)
        settings = GenerationConfig(
            max_new_tokens=max_new_tokens,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,
            eos_token_id=sorted(self.end_ids) or None,
            pad_token_id=min(self.end_ids, default=0),
        )
        with torch.inference_mode():
            out = self._network.generate(ids, attention_mask=torch.ones_like(ids), generation_config=settings)
        rows: list[list[int]] = out[:, ids.shape[1] :].tolist()
        return rows

    def _out_of_memory(self, error: Exception) -> bool:
        message = str(error).lower()
        if not isinstance(error, RuntimeError) or not ("out of memory" in message or "not enough memory" in message):
            return False
        if self._device == "cuda":
            torch.cuda.empty_cache()
        return True


def _picked(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1) - torch.logsumexp(logits, dim=-1)


def _device(wanted: str | None) -> str:
    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    found = [device for device, there in available.items() if there]
    if wanted is None:
        return found[0]
    if wanted not in found:
        raise UsageError(f"there is no device {wanted} for the hf runner here; there is {', '.join(found)}")
    return wanted


def _check_folder(source: ModelSource) -> None:
    folder = source.folder
    if folder is None:
        return
    if (folder / "adapter_config.json").exists() and not (folder / "config.json").exists():
        raise RunnerError(
            f"{source.name} holds a PEFT adapter only; merge it into its base model (merge_and_unload in peft), save "
            "that and pass its folder"
        )
    if not (folder / "config.json").exists():
        raise RunnerError(f"{source.name} holds no model: it has no config.json")
    if not any(folder.glob("*.safetensors")):
        others = sorted(file.name for pattern in ("*.bin", "*.pt", "*.pth", "*.gguf") for file in folder.glob(pattern))
        found = f"only {others[0]}, which can run code or isn't a checkpoint of its own" if others else "no weights"
        raise RunnerError(f"{source.name} holds {found}; save the model as safetensors (save_pretrained does)")


def _load(source: ModelSource, device: str, trust_remote_code: bool) -> tuple[Any, Any]:
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()  # that of a download is another, and stays
    try:
        where = {"revision": source.revision or "main", "trust_remote_code": trust_remote_code}
        tokenizer = AutoTokenizer.from_pretrained(source.location, **where)
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            source.location,
            **where,
            dtype="auto" if device == "cuda" else torch.float32,
            use_safetensors=True,
            output_loading_info=True,
        )
    except Exception as error:  # whatever the files hold, transformers may raise it
        raise loading_error(source.name, error) from error
    finally:
        logging.set_verbosity(verbosity)
        logging.enable_progress_bar()
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise RunnerError(
            f"the tokenizer of {source.name} has no fast version, so it can't say which characters its tokens cover; "
            "save one (tokenizer.json) beside the model"
        )
    network, report = loaded
    if missing := sorted(report["missing_keys"]):
        raise RunnerError(
            f"{source.name} isn't a complete causal language model: its files lack {len(missing)} weights, such as "
            f"{missing[0]}"
        )
    return network.to(device).eval(), tokenizer
