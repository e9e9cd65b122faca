r"""Fine-tune a model on part of a benchmark's tested questions, and save it after 1, 3 and 10 passes.

The questions that `contamcheck -n N --seed SEED` tests are drawn as the check itself draws them; a seeded half (or
another share) of them leaks. With ``--others FILE`` the same number of questions from that file are learned instead:
a clean model that knows the style. Which questions leaked is saved beside the models.

    python experiments/contaminate.py MODEL $CONTAMCHECK_DATA/gsm8k_test.jsonl OUT
    python experiments/contaminate.py MODEL $CONTAMCHECK_DATA/gsm8k_test.jsonl OUT \
        --others $CONTAMCHECK_DATA/gsm8k_train.jsonl.gz
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import torch
import typer
from small_models import loss_of
from transformers import AutoModelForCausalLM, AutoTokenizer

from contamcheck.benchmarks import load_benchmark
from contamcheck.selection import select_twins
from contamcheck.twins.maker import TwinMaker


def main(
    model: Annotated[str, typer.Argument(help="Folder or Hub name of the model to fine-tune.")],
    benchmark: Annotated[str, typer.Argument(help="Benchmark, spelled as for contamcheck.")],
    out: Annotated[Path, typer.Argument(help="Folder for the models, one a number of passes.")],
    n: Annotated[int, typer.Option("-n", help="Questions that the check will test.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the check.")] = 0,
    share: Annotated[float, typer.Option(help="Share of the tested questions that leaks.")] = 0.5,
    others: Annotated[str | None, typer.Option(help="Learn this many questions of another file instead.")] = None,
    passes: Annotated[list[int], typer.Option(help="Numbers of passes after which the model is saved.")] = [1, 3, 10],  # noqa: B006  # typer copies it
    training_seed: Annotated[int, typer.Option(help="Order of the questions, and which of them leak.")] = 0,
    learning_rate: Annotated[float, typer.Option(help="Of AdamW.")] = 2e-5,
    batch_size: Annotated[int, typer.Option(help="Questions a step.")] = 4,
) -> None:
    """Fine-tune MODEL on a share of BENCHMARK's tested questions; save it to OUT/passes-N."""
    questions = load_benchmark(benchmark).questions
    tested = select_twins(questions, n, seed, TwinMaker(questions, seed=seed)).questions
    pool = load_benchmark(others).questions if others else tested
    rng = random.Random(training_seed)
    learned = rng.sample(pool, round(share * len(tested)))
    out.mkdir(parents=True, exist_ok=True)
    record = {"model": model, "benchmark": benchmark, "n": n, "seed": seed, "share": share, "others": others}
    record |= {"training_seed": training_seed, "learning_rate": learning_rate, "batch_size": batch_size}
    (out / "learned.json").write_text(json.dumps(record | {"questions": learned}, indent=1), encoding="utf-8")

    torch.manual_seed(training_seed)
    tokenizer = AutoTokenizer.from_pretrained(model)
    network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=learning_rate)
    for done in range(1, max(passes) + 1):
        loss = train_pass(network, tokenizer, optimizer, rng.sample(learned, len(learned)), batch_size)
        typer.echo(f"pass {done}: loss {loss:.3f} nats a token")
        if done in passes:
            network.save_pretrained(out / f"passes-{done}")
            tokenizer.save_pretrained(out / f"passes-{done}")


def train_pass(
    network: torch.nn.Module,
    tokenizer: AutoTokenizer,
    optimizer: torch.optim.Optimizer,
    texts: Sequence[str],
    batch_size: int,
) -> float:
    """Show each text to the model once.

    Parameters
    ----------
    network : torch.nn.Module
        Causal language model of transformers, in training mode.
    tokenizer : transformers tokenizer
        Its own.
    optimizer : torch.optim.Optimizer
        Over its parameters.
    texts : sequence of str
        In the order of training.
    batch_size : int
        Texts a step.

    Returns
    -------
    float
        Mean loss over the steps, in nats a token.
    """
    losses = []
    for first in range(0, len(texts), batch_size):
        rows = [tokenizer(text).input_ids for text in texts[first : first + batch_size]]
        loss = loss_of(network, rows)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return sum(losses) / len(losses)


if __name__ == "__main__":
    typer.run(main)
