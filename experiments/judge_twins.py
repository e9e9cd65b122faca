r"""Do clean models prefer a benchmark's questions to their twins, family by family?

Each model scores its own random questions and draws: log-likelihood after a neutral first token, as `preference` of
`contamcheck.stats` ranks it. The table gives the mean over the models of z, with a bootstrap interval over questions;
beside contamcheck's families stand 0.1.0's twins, each number by itself swapped for another of its length.

    python experiments/judge_twins.py $CONTAMCHECK_DATA/gsm8k_test.jsonl JUDGES/* --out OUT.json
"""

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy.stats import rankdata

from contamcheck.benchmarks import load_benchmark
from contamcheck.runners import load_runner
from contamcheck.runners.base import Runner
from contamcheck.stats import normal_scores
from contamcheck.twins.maker import TwinMaker

OLD = "0.1.0"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def main(
    benchmark: Annotated[str, typer.Argument(help="Spelled as for contamcheck.")],
    models: Annotated[list[str], typer.Argument(help="Folders of the judges.")],
    out: Annotated[Path, typer.Option(help="JSON file for the ranks; models that stand there are not scored again.")],
    kinds: Annotated[str, typer.Option(help="Kinds of twins, with commas between.")] = f"names,details,numbers,{OLD}",
    n: Annotated[int, typer.Option("-n", help="Questions a model.")] = 200,
    n_twins: Annotated[int, typer.Option(help="Twins a question.")] = 8,
    seed: Annotated[int, typer.Option(help="Of the first model's questions and draws; later ones count on.")] = 0,
    field: Annotated[str | None, typer.Option(help="Field that holds the question.")] = None,
) -> None:
    """Score with every model, then print the table."""
    questions = load_benchmark(benchmark, field=field).questions
    done = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    for at, model in enumerate(models):
        name = Path(model).name
        missing = [kind for kind in kinds.split(",") if kind not in done.get(name, {})]
        if missing:
            with load_runner("hf", model) as runner:
                for kind in missing:
                    found = variants(questions, kind, n, n_twins, seed + at)
                    scores = loglikelihoods(runner, [row for _, row in found])
                    rows = {str(index): values for (index, _), values in zip(found, scores, strict=True)}
                    done.setdefault(name, {})[kind] = rows
            out.write_text(json.dumps(done), encoding="utf-8")
    typer.echo(table(done, kinds.split(",")))
    typer.echo(f"{benchmark}, n = {n}, {n_twins} twins, seed {seed}; {versions()}")


def versions() -> str:
    """Of the libraries that figures depend on."""
    return ", ".join(f"{library} {version(library)}" for library in ("contamcheck", "torch", "transformers", "numpy"))


def loglikelihoods(runner: Runner, rows: Sequence[Sequence[str]]) -> list[list[float]]:
    """Log-likelihood of each text after a neutral first token, in nats; equal texts are scored once."""
    texts = list(dict.fromkeys(text for row in rows for text in row))
    scored = dict(zip(texts, runner.token_logprobs(texts, start=True), strict=True))
    return [[float(scored[text].logprobs.sum()) for text in row] for row in rows]


def variants(questions: Sequence[str], kind: str, n: int, n_twins: int, seed: int) -> list[tuple[int, list[str]]]:
    """Index, original and twins of `n` random questions that have twins of this kind.

    Parameters
    ----------
    questions : sequence of str
        The benchmark.
    kind : str
        As for ``--twins``, or ``0.1.0``.
    n, n_twins, seed : int
        Questions, twins of each, and what decides both.

    Returns
    -------
    list of (int, list of str)
        The original first.
    """
    make = twins(questions, kind, n_twins, seed)
    found = []
    for index in np.random.default_rng([seed, zlib.crc32(kind.encode())]).permutation(len(questions)):
        row = make(questions[index])
        if any(text != row[0] for text in row):
            found.append((int(index), row))
        if len(found) == n:
            break
    return found


def twins(questions: Sequence[str], kind: str, n_twins: int, seed: int) -> Callable[[str], list[str]]:
    """Maker of twins of a kind: gives a question with its twins, or alone where it has none."""
    if kind == OLD:
        return old_twins(questions, n_twins, seed)
    maker = TwinMaker(questions, kind, n_twins, seed)

    def make(question: str) -> list[str]:
        twinned = maker.of(question)
        return [variant.text for variant in twinned.variants] if twinned else [question]

    return make


def old_twins(questions: Sequence[str], n_twins: int, seed: int) -> Callable[[str], list[str]]:
    """Maker of 0.1.0's: each number by itself, as often as others of its length, trailing zeros and point are used."""
    pools: dict[tuple[int, int, bool], list[str]] = defaultdict(list)

    def shape(number: str) -> tuple[int, int, bool]:
        return len(number), len(number) - len(number.rstrip("0")), "." in number

    for question in questions:
        for number in NUMBER.findall(question):
            pools[shape(number)].append(number)

    def make(question: str) -> list[str]:
        rng = np.random.default_rng([seed, zlib.crc32(question.encode())])

        def swap(match: re.Match[str]) -> str:
            number = match.group()
            others = [other for other in pools[shape(number)] if other != number]
            keep = (len(number) > 1 and number.startswith("0")) or not others
            return number if keep else str(rng.choice(others))

        return [question, *(NUMBER.sub(swap, question) for _ in range(n_twins))]

    return make


def table(done: dict[str, dict[str, dict[str, list[float]]]], kinds: Sequence[str]) -> str:
    """Mean z over the models of each kind, with a bootstrap interval over questions.

    Parameters
    ----------
    done : dict
        Log-likelihoods by model, kind and question.
    kinds : sequence of str
        Rows of the table.

    Returns
    -------
    str
        In Markdown.
    """
    lines = ["| twins | models | mean z | 95% interval | SD of z | mean rank |", "|---|---|---|---|---|---|"]
    for kind in kinds:
        rows = [
            (model, int(index), normal_scores(np.round(values, 6)))
            for model, by_kind in done.items()
            for index, values in by_kind.get(kind, {}).items()
        ]
        rows = [row for row in rows if row[2].any()]
        names = sorted({model for model, _, _ in rows})
        if not names:
            continue
        owner = np.array([names.index(model) for model, _, _ in rows])
        question = np.array([index for _, index, _ in rows])
        first = np.array([scores[0] for _, _, scores in rows])
        variance = np.array([(scores**2).mean() for _, _, scores in rows])
        rank = np.mean([(rankdata(scores)[0] - 1) / (len(scores) - 1) for _, _, scores in rows])

        def z(
            weights: np.ndarray,
            owner: np.ndarray = owner,
            first: np.ndarray = first,
            variance: np.ndarray = variance,
            count: int = len(names),
        ) -> np.ndarray:
            total = np.bincount(owner, weights * first, count)
            return total / np.sqrt(np.bincount(owner, weights * variance, count))

        rng = np.random.default_rng(0)
        drawn = []
        for _ in range(2_000):
            times = np.bincount(rng.integers(question.max() + 1, size=question.max() + 1), minlength=question.max() + 1)
            drawn.append(z(times[question]).mean())
        low, high = np.quantile(drawn, [0.025, 0.975])
        ones = z(np.ones(len(rows)))
        spread = ones.std(ddof=1) if len(ones) > 1 else float("nan")
        lines.append(
            f"| {kind} | {len(names)} | {ones.mean():.2f} | {low:.2f} to {high:.2f} | {spread:.2f} | {rank:.3f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    typer.run(main)
