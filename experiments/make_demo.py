"""Make the embedded demo: its benchmark, and three tiny models of which one saw half of the benchmark's questions.

All models practise on problems of the same source (`demo_problems`) and none of them on the benchmark itself, except
``leaked``: it is trained exactly like ``clean``, with a random half of the questions mixed in among the other
problems, as many times each as it takes for the check to catch it at every one of ten seeds. Doses are tried in
ascending order; the first that is caught ten times is kept.

    python experiments/make_demo.py benchmarks_data/demo

takes about half an hour on one core. Weights depend on torch's version and the processor in their last digits.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import torch
import typer
from demo_problems import SITUATIONS, generate
from onnx_export import export
from small_models import END, loss_of, train_tokenizer
from tokenizers import Tokenizer
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from contamcheck import Report, audit

QUESTIONS, LEAKED = 400, 200
BENCHMARK_SEED, LEAK_SEED, TOKENIZER_SEED = 1, 77, 10_000
# With this many tokens each number up to 99 is one, as in larger tokenizers.
VOCABULARY = 1_280
DOSES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20)
CHECK_SEEDS = range(10)


@dataclass(frozen=True)
class Practice:
    """What one model is trained on.

    Parameters
    ----------
    seed : int
        Of its problems, their order and its weights.
    problems : int
        Number of problems, each seen once.
    """

    seed: int
    problems: int


# The reference has practised longer: its own noise adds to that of every check.
REFERENCE = Practice(seed=0, problems=30_000)
TARGET = Practice(seed=1, problems=12_000)
BATCH, LEARNING_RATE, WARM_UP, DECAY = 16, 3e-3, 100, 0.7


def main(out: Path) -> None:
    """Write the demo to OUT."""
    torch.set_num_threads(1)
    questions = generate(BENCHMARK_SEED, QUESTIONS)
    out.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"question": question}) for question in questions]
    (out / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    tokenizer = train_tokenizer(generate(TOKENIZER_SEED, 20_000), VOCABULARY)

    save(train(REFERENCE, questions, tokenizer), tokenizer, out / "reference")
    save(train(TARGET, questions, tokenizer), tokenizer, out / "clean")
    clean = [judge(out, out / "clean", seed) for seed in CHECK_SEEDS]
    leaked = random.Random(LEAK_SEED).sample(questions, LEAKED)
    tried = []
    for passes in DOSES:
        reports = try_dose(passes, questions, leaked, tokenizer, out)
        tried.append((passes, reports))
        if len(reports) == len(CHECK_SEEDS) and all(report.verdict == "likely" for report in reports):
            break
    else:
        raise SystemExit(f"not caught at every seed after {DOSES[-1]} passes")
    dose = {"passes": passes, "leaked": LEAKED, "questions": QUESTIONS, "mixed_with": TARGET.problems}
    (out / "dose.json").write_text(json.dumps(dose) + "\n", encoding="utf-8")
    (out / "README.md").write_text(describe(clean, tried), encoding="utf-8")


def train(
    practice: Practice, questions: Sequence[str], tokenizer: Tokenizer, leaked: Sequence[str] = (), passes: int = 0
) -> LlamaForCausalLM:
    """Train a model from nothing.

    Parameters
    ----------
    practice : Practice
        Its problems.
    questions : sequence of str
        The benchmark: left out of the problems.
    tokenizer : Tokenizer
        Shared by all models.
    leaked : sequence of str
        Questions mixed in.
    passes : int
        How many times each; the passes lie in successive parts of the training.

    Returns
    -------
    LlamaForCausalLM
        In evaluation mode.
    """
    rng = random.Random(practice.seed)
    held_out = set(questions)
    others = [text for text in generate(100 + practice.seed, practice.problems) if text not in held_out]
    # (place in the training, text)
    order = [(at + 0.5, text) for at, text in enumerate(others)]
    order += [((part + rng.random()) / passes * len(others), text) for part in range(passes) for text in leaked]
    rows = [encoding.ids for encoding in tokenizer.encode_batch([text for _, text in sorted(order)])]
    # Half begin with the end-of-text token, so that a text's first token can be scored behind it too.
    rows = [[0] * rng.randint(0, 1) + row + [0] for row in rows]

    torch.manual_seed(practice.seed)
    network = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=tokenizer.get_vocab_size(), hidden_size=96, intermediate_size=256, num_hidden_layers=4,
            num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=256, tie_word_embeddings=True,
            bos_token_id=0, eos_token_id=0,
        )
    )  # fmt: skip
    optimizer = torch.optim.AdamW(network.parameters(), betas=(0.9, 0.95))
    steps = len(rows) // BATCH
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * min(
            (step + 1) / WARM_UP, 1.0, (steps - step) / (DECAY * steps)
        )
        loss = loss_of(network, rows[step * BATCH : (step + 1) * BATCH])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    typer.echo(f"trained on {len(rows)} texts: last loss {loss.item():.3f} nats a token")
    return network.eval()


def save(network: LlamaForCausalLM, tokenizer: Tokenizer, folder: Path) -> None:
    """Export a model to ONNX, its tokenizer beside it."""
    export(network, PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END), folder)


def try_dose(
    passes: int, questions: Sequence[str], leaked: Sequence[str], tokenizer: Tokenizer, out: Path
) -> list[Report]:
    """Train the leaked model with one dose, keep it in OUT, and check it until a seed doesn't catch it."""
    save(train(TARGET, questions, tokenizer, leaked, passes), tokenizer, out / "leaked")
    reports: list[Report] = []
    for seed in CHECK_SEEDS:
        reports.append(judge(out, out / "leaked", seed))
        if reports[-1].verdict != "likely":
            break
    return reports


def judge(out: Path, model: Path, seed: int) -> Report:
    """Check a model as a user would."""
    report = audit(str(model), str(out / "questions.jsonl"), reference=str(out / "reference"), seed=seed)
    figures = ", ".join(f"{t.name} {t.outcome.rate:.1%} p={t.outcome.p_value:.4f}" for t in report.tests)
    typer.echo(f"{model.name}, seed {seed}: {report.verdict} ({figures})")
    return report


def describe(clean: Sequence[Report], tried: Sequence[tuple[int, Sequence[Report]]]) -> str:
    """README of the demo's folder."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "onnxruntime", "contamcheck"))
    passes, caught = tried[-1]
    head = f"""\
# The embedded demo

Made by `python experiments/make_demo.py benchmarks_data/demo` ({libraries}). MIT, like the rest of the project.

- `questions.jsonl`: {QUESTIONS} word problems from {len(SITUATIONS)} situations, names and numbers drawn uniformly
  (seed {BENCHMARK_SEED}).
- `reference/`: trained once over {REFERENCE.problems:,} other problems of the source (seed {REFERENCE.seed}).
- `clean/`: the same with {TARGET.problems:,} other problems (seed {TARGET.seed}).
- `leaked/`: trained like `clean/`, with {LEAKED} of the questions (drawn with seed {LEAK_SEED}) mixed in, {passes}
  times each: the smallest dose tried that is caught at every one of ten seeds.

Doses tried, in passes, and how many seeds in a row caught it: """
    counts = ", ".join(f"{dose}: {sum(r.verdict == 'likely' for r in reports)}" for dose, reports in tried)
    table = [
        "",
        "",
        "| model | seed | likelihood flagged | p | completion flagged | p | min-k flagged | p | verdict |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, reports in (("clean", clean), ("leaked", caught)):
        for report in reports:
            cells = [f"{t.outcome.rate:.1%} | {t.outcome.p_value:.4f}" for t in report.tests]
            table.append(f"| {name} | {report.settings.seed} | {' | '.join(cells)} | {report.verdict} |")
    return head + counts + "\n".join(table) + "\n"


if __name__ == "__main__":
    typer.run(main)
