"""Export a Hugging Face causal language model to the ONNX folder layout that ONNX Runtime users expect.

The folder holds ``model.onnx`` (and ``model.onnx_data`` beside it when the weights are large), the tokenizer
and the configuration files. Two forms of graph:

* with a key-value cache: inputs ``input_ids``, ``attention_mask``, ``position_ids`` and
  ``past_key_values.{i}.key`` / ``.value`` (batch, heads, past, dim); outputs ``logits`` and
  ``present.{i}.key`` / ``.value``. A past of length 0 is allowed and means "from the start".
* without: inputs ``input_ids`` and ``attention_mask``, output ``logits``.

Batch, sequence and past are free dimensions in both. Usage::

    python experiments/onnx_export.py MODEL_DIR OUT [--no-cache]
"""

import argparse
import inspect
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

# A protobuf file ends at 2 GiB; the margin leaves room for the graph itself.
EMBED_LIMIT_BYTES = 1_500_000_000

# Sample sizes for tracing. Sizes 0 and 1 would be taken for constants, and two equal sizes for one dimension.
BATCH, SEQUENCE, PAST = 2, 3, 5


def _cache_argument(model: nn.Module) -> str:
    """Return the name under which this version of transformers takes the key-value cache."""
    names = inspect.signature(inspect.unwrap(type(model).forward)).parameters
    return "cache" if "cache" in names else "past_key_values"


def _positions(attention_mask: Tensor) -> Tensor:
    """Count real tokens only, so that padding on either side leaves positions as they were without it."""
    return (attention_mask.cumsum(-1) - 1).clamp(min=0)


class PlainGraph(nn.Module):
    """Logits of whole texts, no cache.

    Parameters
    ----------
    model
        A transformers causal language model.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return logits (batch, sequence, vocabulary)."""
        output = self.model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=_positions(attention_mask),
            use_cache=False,
        )
        logits: Tensor = output.logits
        return logits


class CachedGraph(nn.Module):
    """Logits of new tokens after a past that is handed in and handed back, one key and one value a layer.

    Parameters
    ----------
    model
        A transformers causal language model whose layers all attend to the whole past.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.cache_argument = _cache_argument(model)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, position_ids: Tensor, past: list[Tensor]
    ) -> list[Tensor]:
        """Return logits, then each layer's key and value for past and new tokens together."""
        from transformers import DynamicCache

        cache = DynamicCache()
        for layer in range(len(past) // 2):
            cache.update(past[2 * layer], past[2 * layer + 1], layer)
        output = self.model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            use_cache=True,
            **{self.cache_argument: cache},
        )
        layers: list[Any] = list(cache.layers)
        present = [tensor for layer in layers for tensor in (layer.keys, layer.values)]
        return [output.logits, *present]


def _heads_and_width(config: Any) -> tuple[int, int]:
    """Return the number of key-value heads and the width of each."""
    heads = config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // heads
    return getattr(config, "num_key_value_heads", None) or heads, width


def _layer_names(prefix: str, layers: int) -> list[str]:
    return [f"{prefix}.{layer}.{part}" for layer in range(layers) for part in ("key", "value")]


def _arguments(model: Any, cache: bool) -> dict[str, Any]:
    """Return the sample inputs, free dimensions and names that `torch.onnx.export` needs for one form."""
    batch, sequence, past = Dim("batch"), Dim("sequence"), Dim("past")
    total = PAST + SEQUENCE if cache else SEQUENCE
    ids = torch.zeros(BATCH, SEQUENCE, dtype=torch.int64)
    mask = torch.ones(BATCH, total, dtype=torch.int64)
    # An all-ones mask may be recognised as "no padding" and dropped from the graph.
    mask[1, -1] = 0
    if not cache:
        shape = {0: batch, 1: sequence}
        return {
            "args": (ids, mask),
            "dynamic_shapes": (shape, shape),
            "input_names": ["input_ids", "attention_mask"],
            "output_names": ["logits"],
        }
    layers = model.config.num_hidden_layers
    heads, width = _heads_and_width(model.config)
    tensors = [torch.zeros(BATCH, heads, PAST, width) for _ in range(2 * layers)]
    positions = torch.arange(PAST, total).expand(BATCH, -1).contiguous()
    return {
        "args": (ids, mask, positions, tensors),
        "dynamic_shapes": (
            {0: batch, 1: sequence},
            {0: batch, 1: Dim.DYNAMIC},  # past + sequence
            {0: batch, 1: sequence},
            [{0: batch, 2: past}] * (2 * layers),
        ),
        "input_names": [
            "input_ids",
            "attention_mask",
            "position_ids",
            *_layer_names("past_key_values", layers),
        ],
        "output_names": ["logits", *_layer_names("present", layers)],
    }


def export(model: Any, tokenizer: Any, out: Path, cache: bool = True) -> None:
    """Write a causal language model and its tokenizer as an ONNX folder.

    Parameters
    ----------
    model
        A transformers causal language model (llama or gpt2 style). It is put in float32 and evaluation mode.
    tokenizer
        Its fast tokenizer.
    out
        Folder to write; made if missing.
    cache
        Whether the graph takes and returns a key-value cache.
    """
    out.mkdir(parents=True, exist_ok=True)
    model = model.float().eval()
    graph = (CachedGraph(model) if cache else PlainGraph(model)).eval()
    with torch.no_grad():
        program = torch.onnx.export(graph, **_arguments(model, cache), dynamo=True, verbose=False)
    assert program is not None
    # Each node would carry the stack trace of its making, with this machine's paths.
    for node in program.model.graph.all_nodes():
        node.metadata_props.clear()
        node.doc_string = None
    size = sum(p.numel() * p.element_size() for p in model.parameters())
    _save(program, out / "model.onnx", external=size > EMBED_LIMIT_BYTES)
    tokenizer.save_pretrained(out)
    model.config.save_pretrained(out)
    model.generation_config.save_pretrained(out)


def _save(program: Any, path: Path, external: bool) -> None:
    """Save the graph, its weights inside or in ``model.onnx_data`` beside it."""
    data = path.with_name("model.onnx_data")
    data.unlink(missing_ok=True)
    if not external:
        program.save(path)
        return
    import onnx_ir

    onnx_ir.save(program.model, path, external_data=data.name)


def load(folder: Path) -> tuple[Any, Any]:
    """Return the model, in float32, and the tokenizer of a local checkpoint folder."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(folder)


def main() -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(description="Export a causal language model to an ONNX folder.")
    parser.add_argument("model", type=Path, help="checkpoint folder that transformers can load")
    parser.add_argument("out", type=Path, help="folder to write")
    parser.add_argument("--no-cache", action="store_true", help="export without the key-value cache")
    options = parser.parse_args()
    export(*load(options.model), options.out, cache=not options.no_cache)


if __name__ == "__main__":
    main()
