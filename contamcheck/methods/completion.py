"""Completion: given the first half of a question, does the model write the numbers of the second?

Whole sentences don't tell: a model that memorised the original writes nearly the same words for its twin. The
numbers are what differ. A model that never saw the question can only guess them, and the twin's just as well.
"""

from collections.abc import Sequence

import numpy as np

from contamcheck.methods.base import Continuation, Measurement
from contamcheck.runners.base import Runner
from contamcheck.scripts import words
from contamcheck.twins.numbers import numerals

MIN_WORDS = 8
MOST_WORDS = 40
MAX_NEW_TOKENS = 80


class Completion:
    """Share of the second half's new numbers that the model writes out, greedily."""

    name = "completion"
    uses_reference = False
    meaning = "Given the first half of the question, the model writes the numbers of the second"
    unscorable = "bring no new number in the second half"

    def measure(self, runner: Runner, texts: Sequence[str]) -> Measurement:
        """Score each text with one model; see `Method.measure`."""
        halves = [halve(text) for text in texts]
        written = iter(runner.complete([prefix for prefix, _ in halves], MAX_NEW_TOKENS))
        continuations = tuple(Continuation(prefix, rest, next(written)) for prefix, rest in halves)
        return Measurement(np.array([recall(one) for one in continuations], np.float64), continuations)


def halve(text: str) -> tuple[str, str]:
    """Cut a question at its middle word, white space kept.

    Parameters
    ----------
    text : str
        The question; code keeps its lines and indentation.

    Returns
    -------
    (str, str)
        All before the middle word without the white space between, and from there on at most 40 words.

    Examples
    --------
    >>> halve("Six hens laid  five eggs.")
    ('Six hens', 'laid  five eggs.')
    """
    found = words(text)
    middle = len(found) // 2
    last = min(len(found), middle + MOST_WORDS) - 1
    return text[: found[middle].start()].rstrip(), text[found[middle].start() : found[last].end()]


def recall(continuation: Continuation) -> float:
    """Share of the second half's numbers, those of the first half left out, that the model wrote.

    Parameters
    ----------
    continuation : Continuation
        Of one text.

    Returns
    -------
    float
        In [0, 1]; NaN where the second half brings no number of its own.

    Examples
    --------
    >>> recall(Continuation("Ann has 3 figs", "and 12 plums, 40 nuts and 3 pears.", "and 12 or 7 figs"))
    0.5
    """
    given = set(numerals(continuation.prefix))
    wanted = [number for number in numerals(continuation.expected) if number not in given]
    written = set(numerals(continuation.written))
    return float(np.mean([number in written for number in wanted])) if wanted else float("nan")
