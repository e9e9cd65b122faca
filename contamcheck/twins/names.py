"""Names of persons: the detail that is most surely arbitrary.

A swap must not show, so names give way to names of the same gender and length that the benchmark itself uses. Whether
they do is decided by what stands around them, the same for every name that may come there. Words that are names only
sometimes (Will, Rose, Jordan) need evidence around them, and come only where it is.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Set
from functools import cached_property
from typing import NamedTuple

import numpy as np

from contamcheck.twins import given_names as given
from contamcheck.twins.base import CODE, Pool, Slot, as_it_is

_WORD = re.compile(r"\w+")
_LEARNABLE = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}")
_BEFORE = re.compile(r"(?:\A|[\s(\[\"“‘'—–-])\Z")
_AFTER = re.compile(r"\Z|[\s)\],;:!?\"”'’—–-]|\.(?:\Z|[\s\"”'’)])")
_AFRESH = re.compile(r"(?:\A|[.!?:][\"”'’)]*\s+)[\"“‘'(]?\Z")
_COMMON = given.ARTICLES | given.THINGS
_JOINED = frozenset([" ", "\u00a0", "-", " & "])
_APOSTROPHES = frozenset("'’")


class _Place(NamedTuple):
    """What all names that may stand in a place share."""

    gender: str
    length: int  # long names count as one length
    ends_in_s: bool | None  # None where it doesn't matter
    sure: bool  # whether it takes a person's name, whatever word that is


class _Text:
    """Words of a text, and what lies between them."""

    def __init__(self, text: str) -> None:
        found = list(_WORD.finditer(text))
        self.words = [word.group() for word in found]
        self.spans = [word.span() for word in found]
        edges = [0, *(at for span in self.spans for at in span), len(text)]
        self.literal = bool(CODE.search(text)) or not given.SPELLING.isdisjoint(map(str.lower, self.words))
        self.gaps = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]

    @cached_property
    def pronouns(self) -> set[str]:
        return {given.PRONOUNS[word] for word in map(str.lower, self.words) if word in given.PRONOUNS}

    @cached_property
    def kinds(self) -> set[str]:
        """Genders of the kin whom a pronoun may mean: not of "her mom", which has another "her" before it."""
        pairs = zip(["", *map(str.lower, self.words)], map(str.lower, self.words), strict=False)
        return {given.KIN[word] for last, word in pairs if word in given.KIN and last not in given.PRONOUNS}

    def _word(self, i: int) -> str:
        return self.words[i] if 0 <= i < len(self.words) else ""

    def alone(self, i: int) -> bool:
        """Whether a word is neither part of a longer name, nor of code, nor used as a common noun or a place."""
        before, after, last, following = self.gaps[i], self.gaps[i + 1], self._word(i - 1), self._word(i + 1)
        if not (_BEFORE.search(before) and _AFTER.match(after)) or (before in _APOSTROPHES and i):  # D'Angelo
            return False
        if before in _JOINED and (_is_capital(last) or last.lower() in _COMMON):
            return False
        if before[:1] == "." and (last.lower() in given.TITLES or len(last) == 1):
            return False
        if after in _APOSTROPHES:
            if following not in ("s", "d", "ll"):
                return False
            after, following = self.gaps[i + 2], self._word(i + 2)
            # at Wendy's, where no thing follows
            if last.lower() in given.PLACING | given.SOURCES and not (after == " " and following.islower()):
                return False
        elif before == " " and last.lower() in given.PLACING:
            return False
        return not (after in _JOINED and _is_capital(following))

    def acts(self, i: int, verbs: frozenset[str] = given.VERBS) -> bool:
        return self.gaps[i + 1] == " " and self._word(i + 1) in verbs

    def leading(self, i: int) -> str:
        return self._word(i - 1).lower() if self.gaps[i] == " " else ""


def _is_capital(word: str) -> bool:
    return word[:1].isupper() and word not in given.OPENERS


class Names:
    """Names of persons in one benchmark's questions.

    Parameters
    ----------
    questions : iterable of str
        All questions of the benchmark, in any order: what they use, and how often, is what may stand in a slot.

    Examples
    --------
    >>> names = Names(["Mary has 3 figs.", "Ruth has 2.", "Anna Smith has 5.", "Tom has 6."])
    >>> [(slot.value, slot.spans, slot.pool.values) for slot in names.slots("Ruth eats. Anne-Mary sees Ruth's figs.")]
    [('Ruth', ((0, 4), (26, 30)), ('Ruth',))]
    """

    name = "names"

    def __init__(self, questions: Iterable[str]) -> None:
        texts = [_Text(question) for question in questions]
        uses = Counter(word for text in texts for word in text.words)
        kinds = {"f": given.FEMALE, "m": given.MALE, "u": given.UNISEX}
        self._genders = {name: gender for gender, names in kinds.items() for name in names}
        self._ambiguous = given.AMBIGUOUS | {name for name in self._genders if 10 * uses[name.lower()] > uses[name]}
        self._genders |= _learned(
            texts, self._genders.keys() | given.NO_NAMES | given.OPENERS, set(filter(str.islower, uses))
        )
        places = [(name, place) for text in texts for name, place in self._places(text).items()]
        self._counts: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        for name, place in places:
            self._counts[place.gender, place.length][name] += 1
        # Names that need evidence are counted in the places that have it only.
        plain = [place.sure for name, place in places if name not in self._ambiguous]
        self._boost = len(plain) / max(1, sum(plain))
        self._pools: dict[_Place, Pool] = {}

    def slots(self, question: str) -> list[Slot]:
        """Find the persons; see `Family.slots`."""
        text = _Text(question)
        places = self._places(text)
        staying = _staying(text, places)
        spans = defaultdict(list)
        for word, span in zip(text.words, text.spans, strict=True):
            spans[word].append(span)
        pools = {name: self._pool(place) for name, place in places.items()}
        return [
            Slot(
                tuple(spans[name]), name, pool.only(value.casefold() not in staying for value in pool.values), as_it_is
            )
            for name, pool in pools.items()
            if name in pool.values  # not in a question from elsewhere
        ]

    def _places(self, text: _Text) -> dict[str, _Place]:
        """Names that can be swapped, in the order of their first mentions."""
        mentions = defaultdict(list)
        for i, word in enumerate(() if text.literal else text.words):
            if word in self._genders:
                mentions[word].append(i)
        present = {self._genders[name] for name in mentions} | text.kinds
        places = {}
        for name, at in mentions.items():
            gender = self._genders[name]
            other = {"m": "f", "f": "m"}.get(gender, "")
            leading = {text.leading(i) for i in at}
            kin = {given.KIN[word] for word in leading if word in given.KIN}
            if not all(map(text.alone, at)) or other in kin:
                continue
            # "she" where nobody but Tom can be meant
            if text.pronouns == {other} and not kin and not present & {other, "u"}:
                continue
            acts = kin or not leading.isdisjoint(given.FRIENDS) or any(map(text.acts, at))
            sure = bool(acts and text.pronouns - {other} and leading.isdisjoint(given.SOURCES))
            if sure or name not in self._ambiguous:
                ends_in_s = name.endswith("s") if any(text.gaps[i + 1][:1] in _APOSTROPHES for i in at) else None
                # Alex who is "she" gives way to others who were.
                kind = gender + "".join(text.pronouns) * (gender == "u" and len(text.pronouns) == 1)
                places[name] = _Place(kind, min(len(name), 9), ends_in_s, sure)
        while lost := _staying(text, places).intersection(map(str.casefold, places)):
            places = {name: place for name, place in places.items() if name.casefold() not in lost}
        return places

    def _pool(self, place: _Place) -> Pool:
        if place not in self._pools:
            counts = sorted(self._counts[place.gender, place.length].items())
            weights = [count * (self._boost if name in self._ambiguous else 1) for name, count in counts]
            pool = Pool(tuple(name for name, _ in counts), np.array(weights, np.float64))
            self._pools[place] = pool.only(
                place.ends_in_s in (None, name.endswith("s")) and (place.sure or name not in self._ambiguous)
                for name in pool.values
            )
        return self._pools[place]


def _staying(text: _Text, places: Collection[str]) -> set[str]:
    """Words that swaps leave as they are, and what they may be plurals of: the Smiths."""
    words = {word.casefold() for word in text.words if word not in places}
    return words | {word.removesuffix(end) for word in words for end in ("s", "es")}


def _learned(texts: list[_Text], known: Set[str], lower: Set[str]) -> dict[str, str]:
    """Gender of the names that no list has, from questions where one can only be who "he" or "she" is."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    never = set()
    for text in texts:
        capitals = {word for word in text.words if _is_capital(word) and word.lower() not in lower}
        only = len(capitals) == len(text.pronouns) == 1 and not text.kinds
        for i, word in enumerate(text.words):
            if word in known or word.lower() in lower or not _LEARNABLE.fullmatch(word):
                continue
            if not text.alone(i):
                never.add(word)
            elif only and text.acts(i, given.VERBS - given.LOOSE_VERBS) and _AFRESH.search(text.gaps[i]):
                seen[word] |= text.pronouns
    return {name: min(genders) for name, genders in seen.items() if len(genders) == 1 and name not in never}
