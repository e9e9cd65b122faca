"""Details twins: the same question with another weekday, colour, fruit or whatever else it might have been about.

What a class holds and where its members are arbitrary is written in `contamcheck.twins.classes`; here a question is
read by those rules. Wherever they don't settle the sense of one place, the whole class is left alone: a twin that is
odd would accuse an innocent model, and a question without a twin accuses nobody.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from contamcheck.twins.base import Pool, Slot, in_case_of, pool_of
from contamcheck.twins.classes import FORMS, KINDS, Form, Kind

_TOKEN = re.compile(r"\b(?:Mrs?|Ms|Dr)\.|\b(?:[Ii]n (?:total|all)|IN (?:TOTAL|ALL))\b|\b[ap]\.m\b|\w+|[^\w\s]")
_SENTENCE_STARTS = frozenset(("<start>", ".", "?", "!", ":", '"', "“"))
# Characters that make one thing of what they touch: compounds, code, markup, quoted words.
_GLUE = frozenset("-–_/\\`<>=*#@&+~|[]{}\"'’‘“”$%^")
_ARTICLES = frozenset(("a", "an", "the", "each", "every", "one", "per"))
_ASKED = frozenset(["many", "much", "long", "far", "old", "tall", "big", "fast", "heavy", "often"])
_TASKS = frozenset(("calculate", "percentage", "percent", "total", "<altogether>"))
_COUNTS = frozenset(("<number>", "two", "three", "four", "five", "six", "half", "twice", "dozen", "hundred"))
_PHRASE_ENDS = frozenset(("<end>", ".", ",", ";", ":", "?", "!", "(", ")", "—"))
_LISTING = frozenset(("and", "or", ","))


class _Place(NamedTuple):
    start: int
    end: int
    form: Form
    article: str


class Details:
    """Slots of a benchmark's questions for the details that some closed class holds.

    Parameters
    ----------
    questions : iterable of str
        All questions of the benchmark: which members it uses, and how often, is what may be drawn.

    Examples
    --------
    >>> questions = ["How many apples are 3 apples, bought on Monday?", "On Friday, Al ate 2 pears. How many more?"]
    >>> for slot in Details(questions).slots(questions[0]):
    ...     print(slot.value, slot.pool.values, slot.write(slot.pool.values[-1], slot.value + "s"))
    apple ('apple', 'pear') pears
    Monday ('Monday', 'Friday') Fridays
    """

    name = "details"

    def __init__(self, questions: Iterable[str]) -> None:
        used: dict[tuple[str, bool], Counter[int]] = {}
        for question in questions:
            for kind, places in _read(question, guarded=False).items():
                members = dict.fromkeys(place.form.member for place in places)
                moving = [places[0].form.member] if kind.rows else list(members)
                used.setdefault(_law(kind, members), Counter()).update(moving)
        kinds = {kind.name: kind for kind in KINDS}
        self._pools = {
            law: pool_of({kinds[law[0]].members[member][0]: counts[member] for member in sorted(counts)})
            for law, counts in used.items()
        }

    def slots(self, question: str) -> list[Slot]:
        """Find what can be swapped; see `Family.slots`."""
        found = []
        for kind, places in _read(question, guarded=True).items():
            members = dict.fromkeys(place.form.member for place in places)
            pool = self._pools.get(_law(kind, members))
            if pool is None:
                continue
            groups = [places] if kind.rows else [[p for p in places if p.form.member == m] for m in members]
            found += [slot for group in groups if (slot := _slot(kind, group, pool))]
        return sorted(found, key=lambda slot: slot.spans)


def _law(kind: Kind, members: Collection[int]) -> tuple[str, bool]:
    """Key of the pool: stories that run over several days begin on other days than those of one."""
    return kind.name, bool(kind.rows) and len(members) > 1


def _slot(kind: Kind, places: Sequence[_Place], pool: Pool) -> Slot | None:
    """One slot over all its places, or None where nothing else may stand there."""
    origin = places[0].form.member
    number = {one: member for member, (one, _) in enumerate(kind.members)}

    def moved(value: str, form: Form) -> int | None:
        if not kind.rows:
            return number[value]
        for start, end in kind.rows:
            if start <= form.member < end:
                to = form.member + number[value] - origin
                return start + (to - start) % (end - start) if kind.closed else to if start <= to < end else None
        return None

    def fits(value: str) -> bool:
        for place in places:
            to = moved(value, place.form)
            if to is None or (place.article and (kind.members[to][0][0].lower() in "aeiou") != (place.article == "an")):
                return False
        return True

    def write(value: str, there: str) -> str:
        form = _form(there)
        to = moved(value, form) if form else None
        return there if form is None or to is None else in_case_of(kind.members[to][form.plural], there)

    allowed = pool.only(map(fits, pool.values))
    value = kind.members[origin][0]
    if len(allowed.values) < 2 or value not in allowed.values:
        return None
    return Slot(tuple((place.start, place.end) for place in places), value, allowed, write)


def _form(token: str) -> Form | None:
    form = FORMS.get(token)
    if form is None and token[:1].isupper():
        lower = token.lower()
        form = FORMS.get(lower) if in_case_of(lower, token) == token else None
    return form


def _read(question: str, *, guarded: bool) -> dict[Kind, list[_Place]]:
    """Places of the classes whose sense is settled wherever they occur."""
    tokens = list(_TOKEN.finditer(question))
    forms = [_form(token.group()) for token in tokens]
    for at, form in enumerate(forms):
        # Without an article, "Rose" is somebody.
        bare = at == 0 or tokens[at - 1].group().lower() not in _ARTICLES
        if form and not form.plural and not form.kind.bare and bare and tokens[at].group() not in FORMS:
            forms[at] = None
    words = ["<start>", "<start>", *map(_masked, tokens, forms), "<end>"]
    if not _is_sum(words):
        return {}
    places: dict[Kind, list[_Place]] = {}
    unsure: set[Kind] = set()
    anchored: set[Kind] = set()
    for at, (token, form) in enumerate(zip(tokens, forms, strict=True)):
        if form is None:
            continue
        kind = form.kind
        earlier, before, label, after = words[at : at + 4]
        listed = before in _LISTING and earlier == label
        if (
            (kind.before and before not in kind.before and not listed)
            or (kind.after and not form.plural and after not in kind.after and not _possessive(question, token))
            or (form.plural and not after[0].isalpha() and after not in _PHRASE_ENDS)
            or (token.group() not in FORMS and before not in _SENTENCE_STARTS)
            or _glued(question, token, form)
        ):
            unsure.add(kind)
        if after in kind.anchors:
            anchored.add(kind)
        article = before if before in ("a", "an") else ""
        places.setdefault(kind, []).append(_Place(*token.span(), form, article))
    present = {*words, *(word[:-1] for word in words if len(word) > 3 and word.endswith("s"))}
    return {
        kind: found
        for kind, found in places.items()
        if kind not in unsure
        and (kind in anchored or not kind.anchors)
        and (not kind.whole or len({place.form.member for place in found}) == len(kind.members))
        and (not guarded or kind.guards.isdisjoint(present))
    }


def _is_sum(words: Sequence[str]) -> bool:
    """Whether a story is only told to reckon with: where facts are asked for, no detail is arbitrary."""
    asks = any(one == "how" and other in _ASKED for one, other in pairwise(words))
    return not _COUNTS.isdisjoint(words) and (asks or not _TASKS.isdisjoint(words))


def _masked(token: re.Match[str], form: Form | None) -> str:
    """The word as rules see it: the same for all members of a class, and for all numbers."""
    if form:
        return f"<{form.kind.name}>"
    return "<number>" if token.group().isdecimal() else token.group().lower()


def _possessive(question: str, token: re.Match[str]) -> bool:
    return question.startswith(("'s ", "’s "), token.end())


def _glued(question: str, token: re.Match[str], form: Form) -> bool:
    start, end = token.span()
    behind = not form.plural and _possessive(question, token)
    return question[max(start - 1, 0) : start] in _GLUE or (question[end : end + 1] in _GLUE and not behind)
