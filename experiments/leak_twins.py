r"""How well does each kind of twins tell leaked questions, in a model fine-tuned by contaminate.py?

For every kind: z of the target's preference for originals beyond the reference's, over all tested questions, over those
that leaked and those that didn't, and the AUROC between the two. The reference's log-likelihoods are subtracted with
slope 1, or with the pooled within-question slope, which twins that nobody saw give for nothing.

    python experiments/leak_twins.py OUT/passes-1 OUT/passes-3 --reference MODEL \
        --benchmark $CONTAMCHECK_DATA/gsm8k_test.jsonl
"""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from judge_twins import OLD, loglikelihoods, twins, versions
from scipy.stats import mannwhitneyu

from contamcheck.benchmarks import load_benchmark
from contamcheck.runners import load_runner
from contamcheck.selection import select_twins
from contamcheck.stats import preference, within_slope
from contamcheck.twins.maker import TwinMaker


def main(
    models: Annotated[list[str], typer.Argument(help="Folders of the models under test.")],
    benchmark: Annotated[str, typer.Option(help="Spelled as for contamcheck.")],
    reference: Annotated[str, typer.Option(help="Folder of the model before fine-tuning.")],
    kinds: Annotated[str, typer.Option(help="Kinds of twins, with commas between.")] = f"names,details,numbers,{OLD}",
    n: Annotated[int, typer.Option("-n", help="Questions, as contaminate.py was told.")] = 200,
    n_twins: Annotated[int, typer.Option(help="Twins a question.")] = 4,
    seed: Annotated[int, typer.Option(help="Of the sample and the twins.")] = 0,
) -> None:
    """Print a row for each model and kind of twins."""
    questions = load_benchmark(benchmark).questions
    tested = select_twins(questions, n, seed, TwinMaker(questions, seed=seed)).questions
    rows = {}
    for kind in kinds.split(","):
        make = twins(questions, kind, n_twins, seed)
        made = {question: make(question) for question in tested}
        rows[kind] = {question: row for question, row in made.items() if any(text != question for text in row)}
    before = scores(reference, rows)
    typer.echo("| model | twins | n | slope | z all | z leaked | z unleaked | AUROC |")
    typer.echo("|---|---|---|---|---|---|---|---|")
    for model in models:
        after = scores(model, rows)
        learned = json.loads((Path(model).parent / "learned.json").read_text(encoding="utf-8"))["questions"]
        for kind, made in rows.items():
            leaked = np.array([question in set(learned) for question in made])
            for slope in (1.0, within_slope(after[kind], before[kind])):
                print_row(Path(model), kind, slope, after[kind] - slope * before[kind], leaked)
    typer.echo(f"{n_twins} twins, seed {seed}; {versions()}")


def scores(model: str, rows: dict[str, dict[str, list[str]]]) -> dict[str, np.ndarray]:
    """Log-likelihood of every variant of each kind: arrays of shape (n_questions, n_variants)."""
    with load_runner("hf", model) as runner:
        return {kind: np.array(loglikelihoods(runner, list(made.values()))) for kind, made in rows.items()}


def print_row(model: Path, kind: str, slope: float, residuals: np.ndarray, leaked: np.ndarray) -> None:
    """Print one row of the table."""
    rng = np.random.default_rng(0)
    zs = [
        preference(residuals[mask], rng, 100).z if mask.any() else np.nan for mask in (leaked | True, leaked, ~leaked)
    ]
    gap = residuals[:, 0] - residuals[:, 1:].mean(axis=1)
    gap = gap / residuals.std(axis=1)
    auroc = np.nan
    if leaked.any() and not leaked.all():
        auroc = mannwhitneyu(gap[leaked], gap[~leaked]).statistic / (leaked.sum() * (~leaked).sum())
    values = " | ".join(f"{value:.2f}" for value in (slope, *zs, auroc))
    typer.echo(f"| {model.parent.name}/{model.name} | {kind} | {len(leaked)} | {values} |")


if __name__ == "__main__":
    typer.run(main)
