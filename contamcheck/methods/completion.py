"""Completion: given the first half of a question, does the model write the details of the second?

Whole sentences don't tell: a model that memorised the original writes nearly the same words for its twin. The numbers
and names that were swapped are what differs. A model that never saw the question can only guess them, and the twin's
just as well.
"""

import re
from collections.abc import Sequence

import numpy as np

from contamcheck.methods.base import Continuation, Measurement, TwinsWanted
from contamcheck.runners.base import Runner
from contamcheck.scripts import words
from contamcheck.twins.draws import Variant

MIN_WORDS = 8
MOST_WORDS = 40
MAX_NEW_TOKENS = 80
# Thousands separators: a model that writes 1200 knows 1,200.
SEPARATOR = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


class Completion:
    """Share of the second half's new details that the model writes out, greedily."""

    name = "completion"
    uses_reference = False
    twins: TwinsWanted = "together"
    meaning = (
        "given the first half of the question, the model writes unusually many details (numbers, names) of the second"
    )
    unscorable = "bring no new detail in the second half"

    def measure(self, runner: Runner, variants: Sequence[Variant]) -> Measurement:
        """Score each text with one model; see `Method.measure`."""
        halves = [halve(variant) for variant in variants]
        written = runner.complete([prefix for prefix, _, _ in halves], MAX_NEW_TOKENS)
        continuations = tuple(
            Continuation(prefix, rest, new, recall(details, new))
            for (prefix, rest, details), new in zip(halves, written, strict=True)
        )
        return Measurement(np.array([one.recalled for one in continuations], np.float64), continuations)


def halve(variant: Variant) -> tuple[str, str, list[str]]:
    """Cut a question at its middle word, white space kept.

    Parameters
    ----------
    variant : Variant
        The question; code keeps its lines and indentation.

    Returns
    -------
    (str, str, list of str)
        All before the middle word without the white space between; from there on at most 40 words; and the details in
        these that the first half doesn't give away.

    Examples
    --------
    >>> halve(Variant("Six hens laid 5 or  six eggs.", ((14, 15), (20, 23))))
    ('Six hens laid', '5 or  six eggs.', ['5'])
    """
    text = variant.text
    found = words(text)
    middle = len(found) // 2
    start, end = found[middle].start(), found[min(len(found), middle + MOST_WORDS) - 1].end()
    prefix = text[:start].rstrip()
    details = [text[first:last] for first, last in variant.places if start <= first and last <= end]
    return prefix, text[start:end], [detail for detail in details if not occurs(detail, prefix)]


def recall(details: Sequence[str], written: str) -> float:
    """Share of the details that the model wrote.

    Parameters
    ----------
    details : sequence of str
        With repeats.
    written : str
        The model's continuation.

    Returns
    -------
    float
        In [0, 1]; NaN where there are no details.

    Examples
    --------
    >>> recall(["12", "1,200"], "and 1200 or 12.5 figs")
    0.5
    """
    return float(np.mean([occurs(detail, written) for detail in details])) if details else float("nan")


def occurs(detail: str, text: str) -> bool:
    """Whether a text holds a detail as a whole word or number, in any case."""
    wanted, there = (SEPARATOR.sub("", string).casefold() for string in (detail, text))
    return re.search(rf"(?<![^\W_])(?<!\d[.,]){re.escape(wanted)}(?![^\W_]|[.,]\d)", there) is not None
