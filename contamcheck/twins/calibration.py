"""Weights under which a benchmark's own numbers are typical of the law that twins are drawn from.

The relations that twins keep favour some values over others, so weights by frequency alone would give twins with other
frequencies than the benchmark's. Each weight is scaled by how often its value is there over how often it is expected
there, given the other numbers of its question; so are the sizes of the ratios between them. That is one step of
iterative scaling on Besag's pseudo-likelihood (1975, The Statistician 24:179); more would fit the sample itself.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from contamcheck.twins.base import N_RATIOS, Pool, Slot, amounts, ratio_size, relation

Key = TypeVar("Key", bound=Hashable)

# Pairs added to each size of ratio, and mentions added to each value: a small benchmark tells little.
PRIOR_PAIRS = 10.0
PRIOR_MENTIONS = 1.0


def calibrated(pools: Mapping[Key, Pool], questions: Iterable[Sequence[tuple[Key, Slot]]]) -> dict[Key, Pool]:
    """Scale the weights of pools of numbers.

    Parameters
    ----------
    pools : mapping
        Weighted by frequency.
    questions : iterable
        Slots of each question of the benchmark, each with the key of the pool that its own was narrowed from.

    Returns
    -------
    dict
        The same pools, with other weights and with affinities.
    """
    observed, expected = np.full(N_RATIOS, PRIOR_PAIRS), np.full(N_RATIOS, PRIOR_PAIRS)
    seen: dict[Key, dict[str, float]] = {key: defaultdict(lambda: PRIOR_MENTIONS) for key in pools}
    due: dict[Key, dict[str, float]] = {key: defaultdict(lambda: PRIOR_MENTIONS) for key in pools}
    for keyed in questions:
        for key, slot in keyed:
            own = slot.pool.values.index(slot.value)
            chances = slot.pool.weights.copy()
            sizes = []
            for _, other in keyed:
                if other is not slot:
                    theirs = amounts(other.pool)[other.pool.values.index(other.value)]
                    codes = relation(amounts(slot.pool), theirs)
                    chances *= codes == codes[own]
                    sizes.append(ratio_size(amounts(slot.pool), theirs))
            chances /= chances.sum()
            seen[key][slot.value] += 1
            for at in np.flatnonzero(chances):
                due[key][slot.pool.values[at]] += float(chances[at])
            for size in sizes:
                observed[size[own]] += 1
                expected += np.bincount(size, chances, N_RATIOS)
    affinity = observed / expected
    return {
        key: replace(
            pool,
            weights=pool.weights * np.array([seen[key][value] / due[key][value] for value in pool.values]),
            affinity=affinity,
        )
        for key, pool in pools.items()
    }
