r"""How many of a benchmark's questions get twins of each kind, and can they be told from the originals?

For each kind of twins: the share of questions with a twin that differs, how many questions have how many different
twins, and the self-check over all of them. 0.1.0's twins stand beside.

    python experiments/twin_coverage.py $CONTAMCHECK_DATA/gsm8k_test.jsonl
"""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from judge_twins import OLD, old_twins

from contamcheck.benchmarks import load_benchmark
from contamcheck.stats import preference
from contamcheck.twins.draws import Variant
from contamcheck.twins.maker import CHOICES, TwinMaker
from contamcheck.twins.numerals import numeral_places
from contamcheck.twins.selfcheck import classify


def main(
    benchmark: Annotated[str, typer.Argument(help="Spelled as for contamcheck.")],
    kinds: Annotated[str, typer.Option(help="Kinds of twins, with commas between.")] = ",".join([*CHOICES, OLD]),
    n_twins: Annotated[int, typer.Option(help="Twins a question.")] = 8,
    seed: Annotated[int, typer.Option(help="Of the draws.")] = 0,
    field: Annotated[str | None, typer.Option(help="Field that holds the question.")] = None,
) -> None:
    """Print the table in Markdown."""
    questions = load_benchmark(benchmark, field=field).questions
    typer.echo("| twins | covered | questions with 0, 1, ... different twins | self-check: mean rank | z | p |")
    typer.echo("|---|---|---|---|---|---|")
    for kind in kinds.split(","):
        rows = make(questions, kind, n_twins, seed)
        covered = [row for row in rows if len({variant.text for variant in row}) > 1]
        counts = Counter(len({variant.text for variant in row} - {row[0].text}) for row in rows)
        distinct = ", ".join(str(counts[number]) for number in range(n_twins + 1))
        told = preference(classify(covered), np.random.default_rng(seed))
        typer.echo(
            f"| {kind} | {len(covered) / len(rows):.1%} | {distinct} | {told.mean_rank:.3f} | {told.z:.2f} | "
            f"{told.p_value:.4f} |"
        )


def make(questions: Sequence[str], kind: str, n_twins: int, seed: int) -> list[Sequence[Variant]]:
    """Every question with its twins; with itself alone where it has none.

    Parameters
    ----------
    questions : sequence of str
        The benchmark.
    kind : str
        As for ``--twins``, or ``0.1.0``.
    n_twins, seed : int
        Twins of each, and what decides them.

    Returns
    -------
    list of sequence of Variant
        The question first.
    """
    if kind == OLD:
        old = old_twins(questions, n_twins, seed)
        return [[Variant(text, numeral_places(text)) for text in old(question)] for question in questions]
    maker = TwinMaker(questions, kind, n_twins, seed)
    found = [(question, maker.of(question)) for question in questions]
    return [twinned.variants if twinned else [Variant(question, ())] for question, twinned in found]


if __name__ == "__main__":
    typer.run(main)
