"""Number twins: the same question with other numbers.

Numbers are swapped for numbers of the same form that the benchmark itself uses in such places (money, percentages,
days, ...), as often as it uses them: 8471 in the place of 150 reads oddly to any model, and even a clean one would
then prefer the original. Within a question, equal numbers stay equal, larger ones larger, and what divides another
still does; halves stay halves of even numbers.

What is part of something larger (1st, 16GB, 5:30, 3/4, 2^3, 2021-10-27, 3.11.7, 12-14, -5, 12 500, 7 pm) is left as it
is, and so are 0 and 1, codes with a leading zero, years, and what the calendar fixes (7 days, 24 hours).
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from contamcheck.twins.base import CODE, Pool, Slot, amounts, as_it_is, in_case_of, pool_of, relation
from contamcheck.twins.calibration import calibrated
from contamcheck.twins.mentions import SCALE, Mention, calendar, mentions, parts, takeable, value
from contamcheck.twins.numerals import NUMERAL, PLAIN

Key = tuple[object, ...]


class Numbers:
    """Number twins of one benchmark's questions.

    Parameters
    ----------
    questions : sequence of str
        All questions of the benchmark: what they use, and how often, is what twins are made of.

    Examples
    --------
    >>> family = Numbers(["Ann has 12 figs and 5 pears.", "Bo has 34 figs and 7 pears."])
    >>> [slot.pool.values for slot in family.slots("Ann has 12 figs, 5 pears, and 12 bags.")]
    [('12', '34'), ('5', '7')]
    """

    name = "numbers"

    def __init__(self, questions: Sequence[str]) -> None:
        counts: dict[Key, Counter[str]] = {}
        for question in questions:
            found = {(mention.key, mention.text) for mention in mentions(question) if not mention.fixed}
            for key, text in sorted(found, key=str):
                counts.setdefault(key, Counter())[text] += 1
        self._pools = {key: pool_of(counted, value) for key, counted in counts.items()}
        self._pools = calibrated(self._pools, map(self._keyed_slots, questions))

    def slots(self, question: str) -> list[Slot]:
        """Find the numbers that can be swapped; see `Family.slots`."""
        return [slot for _, slot in self._keyed_slots(question)]

    def _keyed_slots(self, question: str) -> list[tuple[Key, Slot]]:
        if CODE.search(question):
            return []
        found = list(mentions(question))
        moving = [mention for mention in _moving(found) if mention.text in self._values(mention)]
        texts = {mention.text for mention in moving}
        staying = np.unique([value(mention.text) for mention in found if mention.text not in texts]).astype(np.int64)
        fragments = {value(text) for text in NUMERAL.findall(PLAIN.sub(" ", question)) if takeable(text)}
        divisors = parts(question)
        slots = []
        for text in dict.fromkeys(mention.text for mention in moving):
            places = [mention for mention in moving if mention.text == text]
            dated = set().union(*(calendar(str(place.key[0])) for place in places))
            pool = self._pools[places[0].key]
            common = set(pool.values).intersection(*(self._values(place) for place in places))
            pool = pool.only(known in common for known in pool.values)
            pool = _narrowed(pool, value(text), staying, fragments | dated, divisors)
            write = in_case_of if text[0].isalpha() else as_it_is
            slots.append((places[0].key, Slot(tuple(place.span for place in places), text, pool, write)))
        return slots

    def _values(self, mention: Mention) -> tuple[str, ...]:
        pool = self._pools.get(mention.key)
        return pool.values if pool else ()


def _moving(found: list[Mention]) -> list[Mention]:
    """Mentions that can be swapped together with all their equals."""
    by_worth: dict[int, list[Mention]] = {}
    for mention in found:
        by_worth.setdefault(value(mention.text), []).append(mention)
    stuck = {
        worth
        for worth, equals in by_worth.items()
        if any(mention.fixed for mention in equals)
        or len({mention.text for mention in equals}) > 1
        # 20 as a percentage and as a count can't both follow their own frequencies.
        or len({mention.key[0] == "%" for mention in equals}) > 1
    }
    return [mention for mention in found if value(mention.text) not in stuck]


def _narrowed(pool: Pool, worth: int, staying: NDArray[np.int64], fragments: set[int], divisors: list[int]) -> Pool:
    """Values that stand to all that stays in the question as the original does."""
    numbers = amounts(pool)
    keep = np.ones(len(numbers), bool)
    if len(staying):
        keep &= (relation(numbers[:, None], staying) == relation(np.array(worth), staying)).all(axis=1)
    for divisor in divisors:
        keep &= (numbers % (divisor * SCALE) == 0) == (worth % (divisor * SCALE) == 0)
    keep &= numbers == worth if worth in fragments else ~np.isin(numbers, list(fragments))
    return pool.only(keep)
