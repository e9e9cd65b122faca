"""ONNX Runtime on the CPU: any folder or Hub repository exported for causal language modelling, without torch."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from huggingface_hub import snapshot_download
from numpy.typing import NDArray
from scipy.special import logsumexp
from tokenizers import Tokenizer

from contamcheck.errors import RunnerError, UsageError
from contamcheck.runners.base import Numerics, TokenRunner
from contamcheck.runners.source import ModelSource, loading_error
from contamcheck.runners.tokens import TextEncoder, budget_for, context_length, end_tokens

MOST_TOKENS = 2_048
GRAPHS = ("model.onnx", "onnx/model.onnx", "decoder_model_merged.onnx", "onnx/decoder_model_merged.onnx")
TYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
}
PAST = "past_key_values."
PRESENT = "present."


class OnnxRunner(TokenRunner):
    """A causal language model in ONNX Runtime.

    The graph takes ``input_ids`` and gives ``logits``; ``attention_mask``, ``position_ids`` and
    ``past_key_values.*`` are fed where it asks for them. Without a cache a continuation runs the whole text again
    for every token, which is slow for long ones.

    Parameters
    ----------
    model : str
        Folder, Hub repository as ``NAME`` or ``NAME@REVISION``, or an embedded model such as ``demo:clean``.
    device : str
        ``cpu``.
    batch_size : int, optional
        Most texts in a batch.
    file : str, optional
        The ONNX file within the folder; by default ``model.onnx``, there or in ``onnx/``.

    Raises
    ------
    UsageError
        When another device is asked for.
    RunnerError
        When the model can't be loaded, or its graph isn't one of a causal language model.
    """

    def __init__(
        self, model: str, *, device: str = "cpu", batch_size: int | None = None, file: str | None = None
    ) -> None:
        if device != "cpu":
            raise UsageError(f"the onnx runner runs on the cpu only, not on {device}")
        source = ModelSource.parse(model)
        folder = source.folder or _download(source, file)
        graph = _graph_file(folder, model, file)
        self.model = model
        self.batch_size = batch_size
        # The Hub's cache names a snapshot's folder by its commit.
        self.revision = None if source.folder else folder.name
        self._session = _session(graph, model)
        self._inputs = {entry.name: entry for entry in self._session.get_inputs()}
        self._outputs = [entry.name for entry in self._session.get_outputs()]
        self._check_graph(graph)
        self.numerics = Numerics(f"onnxruntime {ort.__version__}", _dtype(self._session), "cpu")
        itemsize = 2 if self.numerics.dtype == "float16" else 4
        # What the files weigh: an estimate, good enough to choose a reference by its size.
        self.n_params = sum(part.stat().st_size for part in graph.parent.glob(f"{graph.name}*")) // itemsize
        config = _read_json(folder / "config.json")
        if not config:
            raise RunnerError(
                f"{model} has no config.json, which says how long a text may be; copy the original model's"
            )
        settings = _read_json(folder / "tokenizer_config.json")
        self.max_tokens = context_length(config, settings.get("model_max_length"))
        tokenizer = _tokenizer(folder, model)
        begin, end = (_token_id(tokenizer, settings.get(f"{which}_token")) for which in ("bos", "eos"))
        self.encoder = TextEncoder(tokenizer, end if begin is None else begin)
        generation = {**config, **_read_json(folder / "generation_config.json")}
        self.end_ids = end_tokens(generation.get("eos_token_id"), end)
        self.token_budget = budget_for(tokenizer.get_vocab_size(), MOST_TOKENS)

    def close(self) -> None:
        """Free the model's memory."""
        del self._session

    def _score(self, batch: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (logits,) = self._session.run(["logits"], self._feed(ids, mask, {}))
        return [_picked(logits[row, : len(tokens) - 1], ids[row, 1 : len(tokens)]) for row, tokens in enumerate(batch)]

    def _generate(self, batch: Sequence[Sequence[int]], max_new_tokens: int) -> list[list[int]]:
        ids = np.asarray(batch, np.int64)
        return np.stack(list(self._greedy(ids, max_new_tokens)), axis=1).tolist()  # type: ignore[no-any-return]

    def _greedy(self, ids: NDArray[np.int64], max_new_tokens: int) -> Iterator[NDArray[np.int64]]:
        cached = any(name.startswith(PAST) for name in self._inputs)
        wanted = self._outputs if cached else ["logits"]
        past: dict[str, Any] = {}
        fresh = ids
        ended = np.zeros(len(ids), bool)
        for _ in range(max_new_tokens):
            answers = dict(
                zip(wanted, self._session.run(wanted, self._feed(fresh, np.ones_like(ids), past)), strict=True)
            )
            new = answers["logits"][:, -1].argmax(-1)
            yield new
            ended |= np.isin(new, list(self.end_ids))
            if ended.all():
                return
            ids = np.concatenate([ids, new[:, None]], axis=1)
            fresh = new[:, None] if cached else ids
            past = {PAST + name.removeprefix(PRESENT): answers[name] for name in wanted if name.startswith(PRESENT)}

    def _feed(self, ids: NDArray[np.int64], mask: NDArray[np.int64], past: Mapping[str, Any]) -> dict[str, Any]:
        """Graph inputs for new ids; `mask` covers the past too."""
        n_past = mask.shape[1] - ids.shape[1]
        positions = np.broadcast_to(np.arange(n_past, mask.shape[1]), ids.shape)
        known = {
            "input_ids": ids,
            "attention_mask": mask,
            "position_ids": positions,
            "use_cache_branch": np.array([n_past > 0]),
            # 0 asks for the logits of every position
            "num_logits_to_keep": np.array(0),
        }
        feed = {}
        for name, entry in self._inputs.items():
            if name.startswith(PAST):
                feed[name] = past[name] if past else np.zeros(_empty_past(entry.shape, len(ids)), TYPES[entry.type])
            else:
                feed[name] = known[name] if entry.type == "tensor(bool)" else known[name].astype(TYPES[entry.type])
        return feed

    def _check_graph(self, graph: Path) -> None:
        known = ("input_ids", "attention_mask", "position_ids", "use_cache_branch", "num_logits_to_keep")
        strange = [name for name in self._inputs if name not in known and not name.startswith(PAST)]
        if "logits" not in self._outputs or "input_ids" not in self._inputs or strange:
            raise RunnerError(
                f"{graph} isn't an export for causal language modelling: it takes {', '.join(self._inputs)} and gives "
                f"{', '.join(self._outputs[:3])}"
            )
        if len(self._session.get_outputs()[self._outputs.index("logits")].shape) != 3:
            raise RunnerError(f"{graph} gives logits of the last position only; export it with the logits of all")

    def _out_of_memory(self, error: Exception) -> bool:
        return isinstance(error, MemoryError) or "Failed to allocate memory" in str(error) or "bad_alloc" in str(error)


def _picked(logits: NDArray[Any], targets: NDArray[np.int64]) -> NDArray[np.float64]:
    wide = logits.astype(np.float32, copy=False)
    picked = wide[np.arange(len(targets)), targets]
    scores: NDArray[np.float64] = picked.astype(np.float64) - logsumexp(wide, axis=-1)
    return scores


def _empty_past(shape: Sequence[int | str], n_texts: int) -> list[int]:
    # [batch, heads, past, width]: the two numbers are the model's, the two names are free
    free = iter((n_texts, 0))
    return [size if isinstance(size, int) else next(free) for size in shape]


def _session(graph: Path, model: str) -> ort.InferenceSession:
    options = ort.SessionOptions()
    # ONNX Runtime would count the machine's cores, not those that this process may use.
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    options.log_severity_level = 4
    # Every batch has a shape of its own: an arena would keep memory for each of them.
    options.enable_cpu_mem_arena = False
    try:
        return ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base but this
        if "INVALID_PROTOBUF" in str(error):
            raise RunnerError(
                f"can't load {model}: {graph.name} is cut short or no ONNX file at all (a pointer of Git LFS, "
                "perhaps); fetch it again"
            ) from error
        raise loading_error(model, error) from error


def _dtype(session: ort.InferenceSession) -> str:
    kinds = {entry.type for entry in (*session.get_inputs(), *session.get_outputs())}
    return "float16" if "tensor(float16)" in kinds else "float32"


def _graph_file(folder: Path, model: str, file: str | None) -> Path:
    found = sorted(
        str(path.relative_to(folder)) for pattern in ("*.onnx", "onnx/*.onnx") for path in folder.glob(pattern)
    )
    wanted = [file] if file else [*(name for name in GRAPHS if name in found), *found]
    if not found or wanted[0] not in found:
        there = f"only {', '.join(found)}" if found else "no ONNX file"
        raise RunnerError(f"{model} holds {there}; export it for causal language modelling, or use --runner hf")
    if not file and wanted[0] not in GRAPHS and len(found) > 1:
        raise UsageError(f"{model} holds {', '.join(found)}; choose one with --runner-arg file=NAME")
    return folder / wanted[0]


def _download(source: ModelSource, file: str | None) -> Path:
    graphs = [f"{file}*"] if file else [f"{graph}*" for graph in GRAPHS]
    try:
        return Path(snapshot_download(source.location, revision=source.revision, allow_patterns=["*.json", *graphs]))
    except Exception as error:  # the Hub's client lets errors of several libraries through
        raise loading_error(source.name, error) from error


def _tokenizer(folder: Path, model: str) -> Tokenizer:
    try:
        return Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # tokenizers raises nothing more special
        raise RunnerError(f"{model} has no usable tokenizer.json: {error}") from error


def _token_id(tokenizer: Tokenizer, token: Any) -> int | None:
    content = token.get("content") if isinstance(token, dict) else token
    return tokenizer.token_to_id(content) if isinstance(content, str) else None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (ValueError, OSError) as error:
        raise RunnerError(f"{path} can't be read as JSON: {error}") from error
    return content if isinstance(content, dict) else {}
