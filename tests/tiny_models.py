"""Tiny random models in transformers' own formats, with tokenizers that differ in their begin-of-text rules."""

from pathlib import Path
from typing import Any, Literal

import pytest
from samples import QUESTIONS
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

Kind = Literal["llama", "gpt2", "twice", "bare"]
KINDS: tuple[Kind, ...] = ("llama", "gpt2", "twice", "bare")


def tokenizer(kind: Kind) -> Tokenizer:
    """Byte-level BPE: llama adds <s>, twice adds it twice and an end, gpt2 adds nothing, bare has no such tokens."""
    special = [] if kind == "bare" else ["<s>", "</s>"]
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        QUESTIONS,
        trainers.BpeTrainer(
            vocab_size=400, special_tokens=special, initial_alphabet=sorted(alphabet), show_progress=False
        ),
    )
    template = {"llama": "<s> $A", "twice": "<s> <s> $A </s>"}.get(kind)
    if template:
        made.post_processor = processors.TemplateProcessing(single=template, special_tokens=[("<s>", 0), ("</s>", 1)])
    # What a careless training script leaves behind; nobody may be cut or padded by it.
    made.enable_truncation(16)
    made.enable_padding(length=16)
    return made


def save_model(folder: Path, kind: Kind) -> tuple[Any, Any]:
    """Save a random model of one kind and give it and its tokenizer; skips where the hf extra isn't installed."""
    torch = pytest.importorskip("torch", reason="needs contamcheck[hf]")
    transformers = pytest.importorskip("transformers", reason="needs contamcheck[hf]")
    special = {} if kind == "bare" else {"bos_token": "<s>", "eos_token": "</s>"}
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer(kind), **special)
    torch.manual_seed(0)
    ids = {
        "vocab_size": 400,
        "bos_token_id": None if kind == "bare" else 0,
        "eos_token_id": None if kind == "bare" else 1,
    }
    if kind == "gpt2":
        config = transformers.GPT2Config(n_positions=160, n_embd=32, n_layer=2, n_head=4, initializer_range=0.3, **ids)
        model = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.LlamaConfig(
            hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=160, initializer_range=0.3, **ids,
        )  # fmt: skip
        model = transformers.LlamaForCausalLM(config)
    # Files of real models ask for such things; nothing of it may reach a memorisation test.
    model.generation_config.repetition_penalty = 1.8
    model.generation_config.no_repeat_ngram_size = 2
    model.save_pretrained(folder)
    wrapped.save_pretrained(folder)
    return model.eval(), wrapped
