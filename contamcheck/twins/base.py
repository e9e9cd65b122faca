"""What every family of twins is: it finds the details of a question that could as well be others.

A family reads the whole benchmark once and then gives, for a question, its *slots*: where a detail stands, and the
pool of values that may stand there, weighted as often as the benchmark uses them. `contamcheck.twins.draws` draws from
all slots of a question together.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

N_RATIOS = 14
# Names may hang on their letters there, and numbers are worked out.
CODE = re.compile(r">>>|```|==|\bdef \w+\(|\w\([\"'\[{\d)]|[\"'][\])]")


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Values that may stand in one kind of slot.

    Parameters
    ----------
    values : tuple of str
        Distinct.
    weights : float64 array, shape (n,)
        How often the benchmark uses each; positive.
    numbers : int64 array, shape (n,), or None
        What the values amount to, in a unit common to all pools that have numbers; None for details that aren't
        numbers. Slots with numbers keep their order and divisibility, others only whether they are equal.
    affinity : float64 array, shape (N_RATIOS,), or None
        How many times as often as their weights alone would tell the numbers of two slots stand in a ratio of that
        size (see `ratio_size`).
    """

    values: tuple[str, ...]
    weights: NDArray[np.float64]
    numbers: NDArray[np.int64] | None = None
    affinity: NDArray[np.float64] | None = None

    def only(self, keep: Iterable[bool]) -> "Pool":
        """Narrow the pool down to some of its values.

        Parameters
        ----------
        keep : iterable of bool, length n
            Which. A question's twin must allow what the question does: let it depend on what all values that are
            kept have in common with the original, and on text that no slot changes.

        Returns
        -------
        Pool
            The values kept, in order.
        """
        mask = np.fromiter(keep, bool, len(self.values))
        return Pool(
            tuple(value for value, kept in zip(self.values, mask, strict=True) if kept),
            self.weights[mask],
            None if self.numbers is None else self.numbers[mask],
            self.affinity,
        )


def pool_of(counts: Mapping[str, int], numbers: Callable[[str], int] | None = None) -> Pool:
    """Pool of counted values.

    Parameters
    ----------
    counts : mapping of str to int
        How often the benchmark uses each value.
    numbers : callable, optional
        What a value amounts to.

    Returns
    -------
    Pool
        In the order of `counts`.
    """
    return Pool(
        tuple(counts),
        np.fromiter(counts.values(), np.float64, len(counts)),
        None if numbers is None else np.array([numbers(value) for value in counts], np.int64),
    )


@dataclass(frozen=True, slots=True)
class Slot:
    """A detail of one question that could as well be another.

    Parameters
    ----------
    spans : tuple of (int, int)
        First character of each place where it stands, and the one after its last; all change together.
    value : str
        What the question says; one of `pool.values`.
    pool : Pool
        What may stand there.
    write : callable
        ``write(value, there)``: how a value is written in a place where the question writes `there`. It must give
        `there` back for the question's own value.
    """

    spans: tuple[tuple[int, int], ...]
    value: str
    pool: Pool
    write: Callable[[str, str], str]


class Family(Protocol):
    """Finds the slots of one kind; built from the whole benchmark, whose own details it swaps in.

    Attributes
    ----------
    name : str
        What the details are, such as ``numbers``.
    """

    name: str

    def slots(self, question: str) -> list[Slot]:
        """Find what can be swapped.

        Parameters
        ----------
        question : str
            Any text.

        Returns
        -------
        list of Slot
            In the order of their first places; their spans don't overlap. Swapping within the slots must lead to a
            text whose slots are the same places with the same pools: that makes question and twins alike.
        """


def relation(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """How numbers stand to each other: equal codes where order and divisibility are alike.

    Parameters
    ----------
    one, other : int64 array
        Not negative; of shapes that broadcast.

    Returns
    -------
    int64 array
        Code of each pair: which one is larger, and whether the smaller is its half or divides it otherwise.

    Examples
    --------
    >>> relation(np.array([4, 5, 6, 12, 24, 36]), np.array(12)).tolist()
    [-7, -10, -8, 1, 12, 13]
    """
    small, large = np.minimum(one, other), np.maximum(one, other)
    divisor = np.where(small == 0, large + 1, small)  # 0 divides nothing
    quotient = np.where(large % divisor == 0, np.minimum(large // divisor, 3), 0)
    codes: NDArray[np.int64] = 10 * np.sign(one - other) + quotient
    return codes


def amounts(pool: Pool) -> NDArray[np.int64]:
    """What the values of a pool amount to; only pools of numbers have it."""
    if pool.numbers is None:
        raise TypeError("not a pool of numbers")
    return pool.numbers


def ratio_size(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Size of the ratio of two numbers, the larger over the smaller, in half octaves; `N_RATIOS` - 1 and above alike.

    Examples
    --------
    >>> ratio_size(np.array([10, 13, 20, 40, 9_999]), np.array(10)).tolist()
    [0, 1, 2, 4, 13]
    """
    small, large = np.minimum(one, other), np.maximum(one, other)
    halves = np.rint(2 * np.log2(np.maximum(large, 1) / np.maximum(small, 1)))
    sizes: NDArray[np.int64] = np.minimum(halves, N_RATIOS - 1).astype(np.int64)
    return sizes


def as_it_is(value: str, there: str) -> str:
    """Write a value as the pool has it."""
    return value


def in_case_of(value: str, there: str) -> str:
    """Write a value with a capital, or in capitals, where the question does.

    Examples
    --------
    >>> in_case_of("pears", "Apples"), in_case_of("pears", "APPLES"), in_case_of("pears", "apples")
    ('Pears', 'PEARS', 'pears')
    """
    if len(there) > 1 and there.isupper():
        return value.upper()
    return value[:1].upper() + value[1:] if there[:1].isupper() else value


def apart(slots: Sequence[Slot], later: Iterable[Slot]) -> list[Slot]:
    """Join two families' slots; of two that overlap, the earlier family's stays."""
    taken = {at for slot in slots for start, end in slot.spans for at in range(start, end)}
    free = [slot for slot in later if not any(at in taken for span in slot.spans for at in range(*span))]
    return [*slots, *free]
