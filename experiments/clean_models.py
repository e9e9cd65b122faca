r"""Train small judges of the twins: language models that provably never saw a benchmark's questions.

Their weights start from nothing and they are shown the questions of one file only, GSM8K's train split, so none can
prefer an original of the test split to twins drawn from the same law. A model whose folder is complete is skipped
when the command is run again.

    python experiments/clean_models.py OUT --data $CONTAMCHECK_DATA/gsm8k_train.jsonl.gz --jobs 2

takes about three minutes a model on one core. Weights depend on torch's version and the processor in their last digits.
"""

import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import torch
import typer
from small_models import END, loss_of, train_tokenizer
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from contamcheck.benchmarks import load_benchmark

VOCABULARY, LONGEST = 2_048, 512
HELD_OUT = 373
# (width, layers)
SIZES = ((96, 2), (96, 3), (128, 2), (128, 3))
HEAD = 32
# With so few steps, smaller batches and a long warm-up lowered the held-out loss most.
BATCH, LEARNING_RATE, WARM_UP, WEIGHT_DECAY = 16, 8e-3, 400, 0.02
RECORD = "training.json"


@dataclass(frozen=True)
class Recipe:
    """What makes one model different from another.

    Parameters
    ----------
    seed : int
        Of its weights and of the order of the questions.
    width : int
        Of its hidden states.
    layers : int
        Number of layers.
    passes : int
        How often it sees each question.
    batch : int
        Questions a step.
    learning_rate : float
        The highest that warm-up and decay allow.
    warm_up : int
        Steps until it would be reached.
    weight_decay : float
        Of AdamW.
    """

    seed: int
    width: int
    layers: int
    passes: int
    batch: int = BATCH
    learning_rate: float = LEARNING_RATE
    warm_up: int = WARM_UP
    weight_decay: float = WEIGHT_DECAY


def main(
    out: Annotated[Path, typer.Argument(help="Folder for the models, one folder each.")],
    data: Annotated[Path, typer.Option(help="File of the questions to train on.")],
    n_models: Annotated[int, typer.Option("--models", help="Number of models; seeds and sizes differ.")] = 20,
    passes: Annotated[int, typer.Option(help="How often each model sees each question.")] = 4,
    jobs: Annotated[int, typer.Option(help="Models trained at a time, one core each.")] = 1,
) -> None:
    """Train clean models on the questions of a file, and save them to OUT/NN."""
    questions = load_benchmark(str(data)).questions
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(questions[:-HELD_OUT], VOCABULARY),
        bos_token=END,
        eos_token=END,
        model_max_length=LONGEST,
    )
    recipes = [Recipe(seed, *SIZES[seed % len(SIZES)], passes) for seed in range(n_models)]
    missing = [recipe for recipe in recipes if not is_complete(recipe, out)]
    with get_context("spawn").Pool(jobs) as pool:
        for line in pool.imap_unordered(partial(make, questions=questions, tokenizer=tokenizer, out=out), missing):
            typer.echo(line)


def folder_of(recipe: Recipe, out: Path) -> Path:
    """Where a model is saved."""
    return out / f"{recipe.seed:02d}"


def is_complete(recipe: Recipe, out: Path) -> bool:
    """Whether a model is there; ends the program when its folder holds one made otherwise."""
    file = folder_of(recipe, out) / RECORD
    if not file.exists():
        return False
    if not asdict(recipe).items() <= json.loads(file.read_text(encoding="utf-8")).items():
        raise SystemExit(f"{file.parent} was made otherwise: name another folder, or remove it")
    return True


def make(recipe: Recipe, questions: Sequence[str], tokenizer: PreTrainedTokenizerFast, out: Path) -> str:
    """Train and save one model.

    Parameters
    ----------
    recipe : Recipe
        How.
    questions : sequence of str
        The last `HELD_OUT` are left out of the training.
    tokenizer : PreTrainedTokenizerFast
        Shared by all models.
    out : Path
        Folder of all models.

    Returns
    -------
    str
        One line that says how it went.
    """
    torch.set_num_threads(1)
    rows = [[0, *ids, 0] for ids in tokenizer(list(questions)).input_ids]
    network, train_loss = train(recipe, rows[:-HELD_OUT])
    batches = batched(rows[-HELD_OUT:], recipe.batch)
    with torch.inference_mode():
        nats = sum(loss_of(network, batch).item() * predicted(batch) for batch in batches)
    record = asdict(recipe) | {
        "parameters": network.num_parameters(),
        "train_loss": train_loss,
        "held_out_loss": nats / predicted(rows[-HELD_OUT:]),
        "held_out_loss_per_character": nats / sum(map(len, questions[-HELD_OUT:])),
        "versions": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
    }
    folder = folder_of(recipe, out)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    # Last, since it marks the folder as complete.
    (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return f"{folder}: {record}"


def train(recipe: Recipe, rows: Sequence[Sequence[int]]) -> tuple[LlamaForCausalLM, float]:
    """Train a model from nothing.

    Parameters
    ----------
    recipe : Recipe
        How.
    rows : sequence of sequence of int
        Tokens of each text.

    Returns
    -------
    network : LlamaForCausalLM
        In evaluation mode.
    loss : float
        Mean over the last pass, in nats a token, each batch before its own step.
    """
    rng = random.Random(recipe.seed)
    torch.manual_seed(recipe.seed)
    heads = recipe.width // HEAD
    network = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=VOCABULARY, hidden_size=recipe.width, intermediate_size=recipe.width * 8 // 3,
            num_hidden_layers=recipe.layers, num_attention_heads=heads, num_key_value_heads=heads,
            max_position_embeddings=LONGEST, tie_word_embeddings=True, bos_token_id=0, eos_token_id=0,
        )
    )  # fmt: skip
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=recipe.learning_rate, betas=(0.9, 0.95), weight_decay=recipe.weight_decay
    )
    steps = recipe.passes * math.ceil(len(rows) / recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / recipe.warm_up, (1 + math.cos(math.pi * step / steps)) / 2)
    )
    for _ in range(recipe.passes):
        nats = 0.0
        batches = list(batched(rng.sample(rows, len(rows)), recipe.batch))
        for batch in rng.sample(batches, len(batches)):
            loss = loss_of(network, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            nats += loss.item() * predicted(batch)
    return network.eval(), nats / predicted(rows)


def batched(rows: Sequence[Sequence[int]], size: int) -> Iterator[list[Sequence[int]]]:
    """Batches of texts of about the same length, which need little padding."""
    ordered = sorted(rows, key=len)
    return (ordered[first : first + size] for first in range(0, len(ordered), size))


def predicted(rows: Sequence[Sequence[int]]) -> int:
    """Number of tokens that have one before them."""
    return sum(map(len, rows)) - len(rows)


if __name__ == "__main__":
    typer.run(main)
