"""Number twins: the same question with other numbers.

Numbers are swapped for numbers of the same shape that the benchmark itself uses, drawn as often as it uses them:
8471 in the place of 150 reads oddly to any model, and even a clean one would then prefer the original. Equal
numbers are swapped equally, different ones differently.

Only plain numbers are swapped: those that stand between characters which surely belong to no number. What is part of
something larger (1st, 16GB, 5:30, 3/4, 2^3, 2021-10-27, 3.11.7, 12-14, -5, 12 500), 0 and 1, and codes with a leading
zero are left as they are.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from contamcheck.scripts import SPACELESS

NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
# Han, kana and Hangul stand beside numbers as whole words; other letters make one word with them.
_WORDS = rf"{SPACELESS}\u1100-\u11ff\uac00-\ud7af"
_BEFORE = rf"\s(\[{{<>=#~|\"'“‘«„¿¡$€£¥₹、。，：；！？（「『【《￥{_WORDS}"
_AFTER = rf"\s)\]}}<>=|\"'’”»%°¢$€£¥₹.,;:!?…/\-—、。，：；！？）」』】》％،؛؟।{_WORDS}"
_SPACE = "[ \u00a0\u2009\u202f]"
PLAIN = re.compile(
    rf"(?<![^{_BEFORE}])(?<![/^]{_SPACE})(?:(?<!\d{_SPACE})|(?!\d{{3}}(?!\d)))(?<!\d[\"'’])(?<![\-\u2212–][$€£¥₹])"
    rf"(?:{NUMERAL.pattern})"
    rf"(?![^{_AFTER}])(?!\d|[.,:/'’]\d|-[\W\d]|-\Z|/\W|{_SPACE}?[/^]|{_SPACE}\d{{3}}(?!\d))"
)


class Shape(NamedTuple):
    """What a swap leaves as it is.

    Parameters
    ----------
    length : int
        Characters in all.
    trailing_zeros : int
        150 has one: round numbers stay round.
    decimals : int
        Digits behind the point.
    separators : int
        Thousands separators.
    below_one : bool
        Whether the whole part is a zero.
    zero : str
        The zero of its digits' script.
    """

    length: int
    trailing_zeros: int
    decimals: int
    separators: int
    below_one: bool
    zero: str


class NumberTwins:
    """Number twins of one benchmark's questions.

    Parameters
    ----------
    questions : iterable of str
        All questions of the benchmark: what they use, and how often, is what twins are made of.

    Examples
    --------
    >>> family = NumberTwins(["Ann has 12 figs and 5 pears.", "Bo has 34 figs and 7 pears."])
    >>> family.twin("Ann has 12 figs, 5 pears, and 12 bags.", np.random.default_rng(0))
    'Ann has 34 figs, 7 pears, and 34 bags.'
    """

    name = "numbers"

    def __init__(self, questions: Iterable[str]) -> None:
        used: dict[Shape, Counter[str]] = {}
        for question in questions:
            for number in PLAIN.findall(question):
                if _swappable(number):
                    used.setdefault(_shape(number), Counter())[number] += 1
        self._pool = {
            shape: (list(counts), np.array(list(counts.values()), np.float64)) for shape, counts in used.items()
        }

    def twin(self, question: str, rng: np.random.Generator) -> str | None:
        """Draw a twin; see `Family.twin`."""
        plain = dict.fromkeys(PLAIN.findall(question))
        others = {_value(number) for number in NUMERAL.findall(PLAIN.sub(" ", question))}
        spellings = Counter(map(_value, plain))
        # 1200 and 1,200 are equal, and what they are swapped for would not be.
        moving = [number for number in plain if _swappable(number) and spellings[_value(number)] == 1]
        swaps: dict[str, str] = {}
        while moving and not swaps:
            # A number that stays must not be met by one that moves: different numbers stay different.
            taken = others | {_value(number) for number in plain.keys() - set(moving)}
            for number in moving:
                new = self._draw(number, taken, rng)
                if new is None:
                    moving.remove(number)
                    swaps = {}
                    break
                swaps[number] = new
                taken.add(_value(new))
        if not swaps:
            return None
        return PLAIN.sub(lambda match: swaps.get(match.group(), match.group()), question)

    def _draw(self, number: str, taken: set[Decimal], rng: np.random.Generator) -> str | None:
        values, counts = self._pool.get(_shape(number), ([], np.empty(0)))
        weights = counts * [value != number and _value(value) not in taken for value in values]
        if not weights.any():
            return None
        return values[int(rng.choice(len(values), p=weights / weights.sum()))]


def numerals(text: str) -> list[str]:
    """All numerals of a text as wholes, thousands separators taken out.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        In order, with repeats.

    Examples
    --------
    >>> numerals("He paid $1,250.50 for 3 of the 10 goats")
    ['1250.50', '3', '10']
    """
    return [numeral.replace(",", "") for numeral in NUMERAL.findall(text)]


def _value(numeral: str) -> Decimal:
    return Decimal(numeral.replace(",", ""))


def _zero(number: str) -> str:
    return chr(ord(number[0]) - unicodedata.digit(number[0]))


def _swappable(number: str) -> bool:
    """Neither 0 nor 1, nor a code that begins with a zero."""
    zero = _zero(number)
    return number not in (zero, chr(ord(zero) + 1)) and not (number[0] == zero and number[1:2].isdigit())


def _shape(number: str) -> Shape:
    zero = _zero(number)
    whole, _, decimals = number.partition(".")
    return Shape(
        len(number),
        len(number) - len(number.rstrip(zero)),
        len(decimals),
        number.count(","),
        whole == zero,
        zero,
    )
