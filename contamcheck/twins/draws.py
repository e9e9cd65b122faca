"""Draw twins that are exchangeable with the question they are made of.

The null hypothesis of the tests is that, given a question and its twins, nothing tells which one is the original. That
holds exactly where all are draws from one law. Here it is the product of the pools' weights, conditional on the slots'
relations (equal, larger, divisible) being those of the question. Such a law can't be sampled directly, but a Markov
chain that leaves it unchanged can be run: from the question to a hub, and from the hub once for each twin. Since the
chain is reversible, hub to question is a run like the others (Besag and Clifford 1989, "Generalized Monte Carlo
significance tests", Biometrika 76:633, the parallel method); that is exact however short the runs are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from contamcheck.twins.base import Pool, Slot, ratio_size, relation

# Updates in one run, for each slot.
SWEEPS = 6
TRIES = 100


@dataclass(frozen=True, slots=True)
class Variant:
    """A question, or a twin of it.

    Parameters
    ----------
    text : str
        The whole text.
    places : tuple of (int, int)
        First character of each detail, and the one after its last, in order: the same details in all variants.
    """

    text: str
    places: tuple[tuple[int, int], ...]

    @property
    def details(self) -> tuple[str, ...]:
        """What stands in the places."""
        return tuple(self.text[start:end] for start, end in self.places)


def draw(
    question: str,
    slots: Sequence[Slot],
    n: int,
    rng: np.random.Generator,
    allowed: Callable[[str], bool] = lambda text: True,
) -> list[Variant]:
    """Draw a question's twins.

    Parameters
    ----------
    question : str
        The original.
    slots : sequence of Slot
        Its details; their spans don't overlap.
    n : int
        How many.
    rng : numpy.random.Generator
        Gives the draws.
    allowed : callable
        Which texts a twin may be. What it allows must not depend on which of them the question is.

    Returns
    -------
    list of Variant
        The question itself, then its twins: exchangeable; repeats, and copies of the question, are kept. Fewer than
        `n` where `TRIES` draws running weren't allowed.

    Examples
    --------
    >>> from contamcheck.twins.base import as_it_is, pool_of
    >>> slot = Slot(((0, 3),), "Ann", pool_of({"Ann": 2, "Eve": 3, "Ida": 1}), as_it_is)
    >>> [variant.text for variant in draw("Ann laughs.", [slot], 3, np.random.default_rng(1))]
    ['Ann laughs.', 'Eve laughs.', 'Eve laughs.', 'Ida laughs.']
    """
    if not slots:
        return [Variant(question, ())] * (n + 1)
    start = np.array([slot.pool.values.index(slot.value) for slot in slots], np.int64)
    chain = _Chain([slot.pool for slot in slots], start)
    hub = chain.run(start, rng)
    variants = [_written(question, slots, start)]
    for _ in range(n):
        drawn = (_written(question, slots, chain.run(hub, rng)) for _ in range(TRIES))
        accepted = next((variant for variant in drawn if allowed(variant.text)), None)
        if accepted is None:
            break
        variants.append(accepted)
    return variants


class _Chain:
    """Random-scan Gibbs sampler over the values of all slots, two at a time; each update is reversible, so runs are.

    Two at a time, since one alone can't leave a place where it is, say, the half of the other.
    """

    def __init__(self, pools: Sequence[Pool], start: NDArray[np.int64]) -> None:
        n = len(pools)
        self._pairs = list(combinations(range(n), 2)) or [(0, 0)]
        self._weights = [pool.weights for pool in pools]
        # joint[i, j][a, b]: weight of slot i being its value a while slot j is its value b, beyond their own; 0 forbids
        self._joint = {}
        for i, j in combinations(range(n), 2):
            self._joint[i, j] = _joint_weights(pools[i], pools[j], start[i], start[j])
            self._joint[j, i] = self._joint[i, j].T

    def run(self, state: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        state = state.copy()
        n_updates = SWEEPS * len(state)
        picks = rng.integers(len(self._pairs), size=n_updates)
        for pick, chance in zip(picks, rng.random(n_updates), strict=True):
            i, j = self._pairs[pick]
            weights = self._given_others(i, j, state)[:, None]
            if i != j:
                weights = weights * self._given_others(j, i, state) * self._joint[i, j]
            cumulated = weights.cumsum()
            if not 0 < cumulated[-1] < np.inf:  # hundreds of factors have left the range of floats
                continue
            drawn = np.searchsorted(cumulated, chance * cumulated[-1], side="right")
            state[i], second = np.unravel_index(drawn, weights.shape)
            if i != j:
                state[j] = second
        return state

    def _given_others(self, slot: int, partner: int, state: NDArray[np.int64]) -> NDArray[np.float64]:
        """Weights of a slot's values, given all slots but itself and its partner."""
        weights = self._weights[slot]
        for other in range(len(state)):
            if other not in (slot, partner):
                weights = weights * self._joint[slot, other][:, state[other]]
        return weights


def _joint_weights(one: Pool, other: Pool, first: int, second: int) -> NDArray[np.float64]:
    """Weights of two slots' values together, beyond those of each by itself.

    Parameters
    ----------
    one, other : Pool
        Of the two slots.
    first, second : int
        Which values the question has: their relation is kept.

    Returns
    -------
    float64 array, shape (n_one, n_other)
        0 where the relation would be another.
    """
    codes = _relations(one, other)
    weights: NDArray[np.float64] = (codes == codes[first, second]).astype(np.float64)
    if one.affinity is not None and one.numbers is not None and other.numbers is not None:
        weights *= one.affinity[ratio_size(one.numbers[:, None], other.numbers[None, :])]
    return weights


def _relations(one: Pool, other: Pool) -> NDArray[np.int64]:
    """How each value of one pool stands to each of the other: shape (n_one, n_other), equal codes for the same."""
    if one.numbers is None or other.numbers is None:
        texts = np.array([value.casefold() for value in other.values])
        return np.stack([np.array(value.casefold()) == texts for value in one.values]).astype(np.int64)
    return relation(one.numbers[:, None], other.numbers[None, :])


def _written(question: str, slots: Sequence[Slot], state: NDArray[np.int64]) -> Variant:
    new = {
        span: slot.write(slot.pool.values[at], question[slice(*span)])
        for slot, at in zip(slots, state, strict=True)
        for span in slot.spans
    }
    text, done = "", 0
    places = []
    for start, end in sorted(new):
        text += question[done:start]
        places.append((len(text), len(text) + len(new[start, end])))
        text += new[start, end]
        done = end
    return Variant(text + question[done:], tuple(places))
