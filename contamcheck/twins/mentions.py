"""Numbers in the places where they stand: what each counts, and whether it may be swapped."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from contamcheck.twins.numerals import PLAIN, WORD, amount, shape, word_amount, word_shape

UNITS = re.compile(
    r"[\s-](?P<unit>second|minute|hour|day|week|month|year|time|mile|foot|feet|inch|cent|dollar|pound|people|student)s?\b"
    r"(?: (?:a|per|every|each|of the) (?P<per>minute|hour|day|week|month|year))?",
    re.IGNORECASE,
)
# What anybody would miss.
FIXED = {
    "second": {60},
    "minute": {60},
    "hour": {24},
    "day": {7, 365, 366},
    "week": {52},
    "month": {12},
}
PERCENT = re.compile(r"\s?(?:%|％|percent\b|per cent\b)")
HOUR = re.compile(r"\s?(?:[ap]\.?m\b|o['’]clock)", re.IGNORECASE)
MONEY = "$€£¥₹￥"
PARTS = re.compile(
    r"\b(?:(half|halve[sd]?)|(third)s?|(quarter|fourth)s?|(fifth)s?)\b|(?<=\d/)(\d{1,4})\b", re.IGNORECASE
)
# More digits than these make no question, and would not fit into 64 bits.
LONGEST = 12
MOST_DECIMALS = 4
SCALE = 10**MOST_DECIMALS


class Mention(NamedTuple):
    """A number in a place.

    Parameters
    ----------
    span : (int, int)
        Its characters.
    text : str
        As it is spelled; number words in lower case.
    key : tuple
        Pool that it belongs to: kind of place, and what its form keeps.
    fixed : bool
        Whether it stays as it is.
    """

    span: tuple[int, int]
    text: str
    key: tuple[object, ...]
    fixed: bool


def mentions(question: str) -> Iterator[Mention]:
    """Plain numbers of a text, in digits or words, each with the pool that it belongs to.

    Parameters
    ----------
    question : str
        Any text.

    Yields
    ------
    Mention
        Digits in order, then number words in order.
    """
    for match in PLAIN.finditer(question):
        text = match.group()
        if takeable(text):
            yield _mention(question, match.span(), text, shape(text))
    for match in WORD.finditer(question):
        text = match.group().lower()
        if match.group() not in (text, text.capitalize()):  # Twenty-Five
            continue
        yield _mention(question, match.span(), text, word_shape(text))


def value(text: str) -> int:
    """What a number amounts to, in units of 1 / `SCALE`."""
    return int((word_amount(text) if text[0].isalpha() else amount(text)) * SCALE)


def takeable(text: str) -> bool:
    """Whether a numeral in digits is short enough."""
    whole, _, decimals = text.partition(".")
    return len(whole) <= LONGEST and len(decimals) <= MOST_DECIMALS


def calendar(unit: str) -> set[int]:
    """Amounts that the calendar fixes for a unit, in units of 1 / `SCALE`."""
    return {fixed * SCALE for fixed in FIXED.get(unit.partition(" ")[0], ())}


def parts(question: str) -> list[int]:
    """Divisors that a question speaks of: 2 for a half, 3 for thirds, 8 for 5/8.

    Examples
    --------
    >>> parts("Half of them, then 3/8 of the rest")
    [2, 8]
    """
    return [
        next((at for at, group in enumerate(match.groups()[:4], 2) if group), 0) or max(1, int(match[5]))
        for match in PARTS.finditer(question)
    ]


def _mention(question: str, span: tuple[int, int], text: str, form: tuple[object, ...]) -> Mention:
    start, end = span
    worth = value(text)
    before = question[start - 1 : start]
    unit_match = UNITS.match(question, end)
    unit = unit_match["unit"].lower() if unit_match else ""
    percent = PERCENT.match(question, end) is not None
    # 5 days is one thing, 5 days a week another.
    per = (unit_match["per"] or "").lower() if unit_match else ""
    kind = "%" if percent else before if before and before in MONEY else f"{unit} {per}".strip()
    code = text[0].isdecimal() and int(text[0]) == 0 and len(text) > 1 and text[1].isdecimal()
    year = text.isdecimal() and 1900 * SCALE <= worth < 2100 * SCALE and not percent and kind not in set(MONEY)
    dated = worth in calendar(unit)
    fixed = worth in (0, SCALE) or code or year or dated or HOUR.match(question, end) is not None
    return Mention(span, text, (kind, percent and worth > 100 * SCALE, *form), fixed)
