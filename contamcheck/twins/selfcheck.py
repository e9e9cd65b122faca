"""Can the originals be told from their twins without any language model?

A small classifier learns on some questions what distinguishes an original from its twins (characters around the
details, and how its numbers stand to one another) and ranks the variants of the others. Where it puts the originals
first more often than chance would, the twins are not exchangeable with them, and a clean model may notice it too.
"""

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from contamcheck.twins.draws import Variant
from contamcheck.twins.numerals import NUMERAL, amount

N_FEATURES = 2**13
LONGEST_GRAM = 5
N_FOLDS = 5
# Questions that share as many words in a row are versions of one.
PASSAGE = 5
# Ridge penalty: a detail seen in one question alone should weigh little.
PENALTY = 3.0
MOST_NUMBERS = 12
LETTER = re.compile(r"[^\W\d_]")


def classify(questions: Sequence[Sequence[Variant]], seed: int = 0) -> NDArray[np.float64]:
    """Score every variant of every question by a classifier that learned on other questions.

    Parameters
    ----------
    questions : sequence of sequence of Variant
        Each question and its twins, the original first; equally many each.
    seed : int
        Deals the questions into folds.

    Returns
    -------
    float64 array, shape (n_questions, n_variants)
        Higher: more like an original.

    Notes
    -----
    Conditional logit (McFadden 1974) with a ridge penalty: the chance that a variant is the original is the softmax of
    its score within the question, so what all variants share cancels.
    """
    n, width = len(questions), len(questions[0])
    features = _features([variant for variants in questions for variant in variants])
    folds = _folds([variants[0] for variants in questions], np.random.default_rng(seed))
    scores = np.zeros((n, width))
    for fold in range(N_FOLDS):
        learned, asked = (np.flatnonzero(mask) for mask in (folds != fold, folds == fold))
        weights = _fit(features[_rows(learned, width)], width)
        scores[asked] = (features[_rows(asked, width)] @ weights).reshape(len(asked), width)
    return np.round(scores, 9)


def _folds(originals: Sequence[Variant], rng: np.random.Generator) -> NDArray[np.int64]:
    """A fold for each question; those that share a passage stay together, or one would give the other away."""
    first_with: dict[tuple[str, ...], int] = {}
    links: list[tuple[int, int]] = []
    for at, variant in enumerate(originals):
        words = _without_details(variant).split()
        for start in range(len(words) - PASSAGE + 1):
            links.append((at, first_with.setdefault(tuple(words[start : start + PASSAGE]), at)))
    n = len(originals)
    one, other = np.array(links, np.int64).reshape(-1, 2).T
    n_groups, groups = connected_components(csr_matrix((np.ones(len(one)), (one, other)), shape=(n, n)), directed=False)
    folds = np.zeros(n, np.int64)
    filled = np.zeros(N_FOLDS)
    sizes = np.bincount(groups)
    # Largest first, each into the emptiest fold.
    for group in np.lexsort((rng.permutation(n_groups), -sizes)):
        emptiest = int(filled.argmin())
        folds[groups == group] = emptiest
        filled[emptiest] += sizes[group]
    return folds


def _without_details(variant: Variant) -> str:
    edges = [0, *(at for place in variant.places for at in place), len(variant.text)]
    return " ".join(variant.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)).casefold()


def _rows(questions: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    rows: NDArray[np.int64] = (questions[:, None] * width + np.arange(width)).ravel()
    return rows


def _fit(features: csr_matrix, width: int) -> NDArray[np.float64]:
    transposed = features.T.tocsr()

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = (features @ weights).reshape(-1, width)
        scores = scores - scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        surplus = chances.copy()
        surplus[:, 0] -= 1
        value = -np.log(chances[:, 0]).sum() + PENALTY / 2 * weights @ weights
        return float(value), transposed @ surplus.ravel() + PENALTY * weights

    fitted = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 50})
    weights: NDArray[np.float64] = fitted.x
    return weights


def _features(variants: Sequence[Variant]) -> csr_matrix:
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, variant in enumerate(variants):
        counts = Counter(zlib.crc32(name.encode()) % N_FEATURES for name in _named(variant))
        norm = math.sqrt(sum(count * count for count in counts.values())) or 1.0
        rows += [row] * len(counts)
        columns += counts.keys()
        values += [count / norm for count in counts.values()]
    return csr_matrix((values, (rows, columns)), shape=(len(variants), N_FEATURES))


def _kind(letter: re.Match[str]) -> str:
    """What grammar asks of a letter. Which detail it is must not show: a rare one is in one original and many twins."""
    char = letter.group()
    return "A" if char.isupper() else char if char == "s" else "v" if char in "aeiou" else "c"


def _named(variant: Variant) -> Iterator[str]:
    for start, end in variant.places:
        text = variant.text[:start] + LETTER.sub(_kind, variant.text[start:end]) + variant.text[end:]
        yield f"length {min(end - start, 9)}"
        for size in range(2, LONGEST_GRAM + 1):
            # One character of the detail and what stands before or behind it: "an a", "7 am".
            yield f"< {text[max(0, start - size + 1) : start + 1]}"
            yield f"> {text[end - 1 : end - 1 + size]}"
    numbers = [amount(detail) for detail in variant.details if NUMERAL.fullmatch(detail)][:MOST_NUMBERS]
    for at, one in enumerate(numbers):
        for nth in (2, 3, 5, 10):
            if one % nth == 0:
                yield f"divisible by {nth}"
        for other in numbers[at + 1 :]:
            small, large = sorted((one, other))
            yield f"order {(one > other) - (one < other)}"
            if small > 0 and large % small == 0:
                yield f"divides {min(int(large / small), 20)}"
            yield f"ratio {round(2 * math.log2(large / small)) if small > 0 else 'zero'}"
            if {one + other, large - small} & set(numbers):
                yield "sum"
