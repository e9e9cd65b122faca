"""Numbers in a text: where they stand, how they are spelled, and what they amount to."""

import re
import unicodedata
from decimal import Decimal

from contamcheck.scripts import SPACELESS

NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
# Han, kana and Hangul stand beside numbers as whole words; other letters make one word with them.
_WORDS = rf"{SPACELESS}\u1100-\u11ff\uac00-\ud7af"
_BEFORE = rf"\s(\[{{<>=#~|\"'“‘«„¿¡$€£¥₹、。，：；！？（「『【《￥{_WORDS}"
_AFTER = rf"\s)\]}}<>=|\"'’”»%°¢$€£¥₹.,;:!?…/\-—、。，：；！？）」』】》％،؛؟।{_WORDS}"
_SPACE = "[ \u00a0\u2009\u202f]"
# Only between characters that surely belong to no number.
PLAIN = re.compile(
    rf"(?<![^{_BEFORE}])(?<![/^]{_SPACE})(?:(?<!\d{_SPACE})|(?!\d{{3}}(?!\d)))(?<!\d[\"'’])(?<![\-\u2212–][$€£¥₹])"
    rf"(?:{NUMERAL.pattern})"
    rf"(?![^{_AFTER}])(?!\d|[.,:/'’]\d|-[\W\d]|-\Z|/\W|{_SPACE}?[/^]|{_SPACE}\d{{3}}(?!\d))"
)

_ONES = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_AMOUNTS = {
    **{word: at for at, word in enumerate(_ONES, 2)},
    **{word: at for at, word in enumerate(_TEENS, 10)},
    **{word: 10 * at for at, word in enumerate(_TENS, 2)},
    **{
        f"{ten}-{one}": 10 * tens + ones
        for tens, ten in enumerate(_TENS, 2)
        for ones, one in enumerate(("one", *_ONES), 1)
    },
}
# A count of things: "two pens", not "the two of them", "two hundred", "two-storey", "two thirds".
WORD = re.compile(
    r"(?<![\w-])(?<!\bthe )(?<!\bother )(?<!\bthose )(?<!\bthese )(?<!\ball )(?<!\bof )(?<!\blast )(?<!\bfirst )"
    r"(?<!\bnext )(?<!\bhundred )(?<!\bthousand )(?<!\bhundred and )"
    rf"(?:{'|'.join(sorted(_AMOUNTS, key=len, reverse=True))})"
    r"(?= (?!thirds|fourths|quarters|fifths|sixths|eighths|tenths|halves|hundreds|thousands|dozens|is\b|was\b|has\b)"
    r"(?-i:[a-z]+[^\Ws_]s|people|children|men|women)\b)",
    re.IGNORECASE,
)


def numeral_places(text: str) -> tuple[tuple[int, int], ...]:
    """Where the numerals of a text stand.

    Examples
    --------
    >>> numeral_places("3 of 10")
    ((0, 1), (5, 7))
    """
    return tuple(match.span() for match in NUMERAL.finditer(text))


def amount(numeral: str) -> Decimal:
    """What a numeral amounts to.

    Examples
    --------
    >>> amount("1,250.50")
    Decimal('1250.50')
    """
    return Decimal(numeral.replace(",", ""))


def word_amount(word: str) -> int:
    """What a number word in lower case amounts to.

    Examples
    --------
    >>> word_amount("twenty-five")
    25
    """
    return _AMOUNTS[word]


def shape(numeral: str) -> tuple[object, ...]:
    """What a swap leaves as it is: length, trailing zeros, decimals, separators, a leading 0, the digits' script.

    Examples
    --------
    >>> shape("150"), shape("0.25")
    ((3, 1, 0, 0, False, '0'), (4, 0, 2, 0, True, '0'))
    """
    zero = chr(ord(numeral[0]) - unicodedata.digit(numeral[0]))
    whole, _, decimals = numeral.partition(".")
    return (
        len(numeral),
        len(numeral) - len(numeral.rstrip(zero)),
        len(decimals),
        numeral.count(","),
        whole == zero,
        zero,
    )


def word_shape(word: str) -> tuple[object, ...]:
    """The same for a number word in lower case: the class of words that look alike."""
    kinds = (("ones", _ONES), ("teens", _TEENS), ("tens", _TENS))
    return (next((kind for kind, words in kinds if word in words), "compound"),)
