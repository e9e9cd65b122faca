"""Twins: what number twins swap and keep, draws that are exchangeable, and what is made of which families."""

import os
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contamcheck.benchmarks import load_benchmark
from contamcheck.errors import UsageError
from contamcheck.stats import preference
from contamcheck.twins.base import Slot, as_it_is, pool_of, relation
from contamcheck.twins.draws import Variant, draw
from contamcheck.twins.maker import CHOICES, TwinMaker
from contamcheck.twins.mentions import mentions, value
from contamcheck.twins.numbers import Numbers
from contamcheck.twins.numerals import NUMERAL
from contamcheck.twins.selfcheck import classify

POOL = [
    "2 3 4 5 6 7 8 9",
    "12 13 24 35 46",
    "20 30 40",
    "1.5 2.5 3.5",
    "1,200 3,400 5,600",
    "1,250.50 7,180.20",
    "$6 $7 $8 $250.50 $340.20",
    "$1,250.50 $7,180.20",
    "5% 6% 20% 30% 250% 350%",
    "2 days, 5 days",
    "two pens, three pens, five pens",
    "٢ ٣ ٤",
]


def variants(text: str, seed: int = 0, pool: list[str] | None = None, n: int = 8) -> list[str]:
    slots = Numbers([*(pool or POOL), text]).slots(text)
    return [variant.text for variant in draw(text, slots, n, np.random.default_rng(seed))]


@pytest.mark.parametrize(
    "text",
    [
        "the 1st of May", "a 16GB disk", "at 5:30 pm", "3/4 of it", "2^3 cm", "on 2021-10-27", "version 3.11.7",
        "seats 12-14", "from -5 degrees", "bib 007", "0 or 1", "1e3 g", "room B12", "x2", "at 10:00", "24/7",
        "12\u201314 March", "on 2021\u201112\u201124", "12\u204413 cup", "12 / 13", "12 ^ 2", "12**2", "12*2", "12,13",
        "12 345 people", "12'345 people", "12\u202f345 people", "12\u00ad13", "a\u030112", "12\u20e3",
        "٢٫٤ كتب", "12\u200b13", "٢\u0301", "12.5.2", "12-", "12-$13", "-$12", "1200 or 1,200",
        "in 2013", "7 pm", "8 o'clock", "7 days", "24 hours", "60 minutes", "12 months", "$1", "1%", "5 and five pens",
        "the two of them", "two hundred pens", "two-thirds", "two thirds of pens", "twenty is more", "20% of 20",
        "12345678901234", "1.23456", "Twenty-Five pens",
    ],
)  # fmt: skip
def test_what_is_left(text: str) -> None:
    assert set(variants(text)) == {text}


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("pays $1,250.50 now", r"pays \$(1,250\.50|7,180\.20) now"),
        ("sells 1,200 seats", r"sells (1,2|3,4|5,6)00 seats"),
        ("runs 2.5 km", r"runs [123]\.5 km"),
        ("has 20 figs.", r"has [234]0 figs\."),
        ("a 6% fee", r"a [56]% fee"),
        ("a 30% fee", r"a [23]0% fee"),
        ("250% more", r"[23]50% more"),
        ("$7 left", r"\$[678] left"),
        ("for 2 days", r"for [25] days"),
        ("Two pens", r"(Two|Three|Five) pens"),
        ("小明有12个苹果", r"小明有(12|13|24|35|46)个苹果"),
        ("사과 12개", r"사과 (12|13|24|35|46)개"),
        ("٣ كتب", "[٢٣٤] كتب"),
        ("a 5-year-old", r"a 5-year-old"),
        ("(12, 13)", r"\(\d\d, \d\d\)"),
    ],
)
def test_numbers_keep_their_form(text: str, shape: str) -> None:
    for seed in range(5):
        for variant in variants(text, seed):
            assert re.fullmatch(shape, variant), variant


def test_each_form_is_swapped_at_all() -> None:
    for text in ("pays $7", "has 20 figs", "a 6% fee", "two pens", "٣ كتب", "小明有12个苹果"):
        assert len(set(variants(text))) > 1, text


def test_equality_order_and_divisibility_are_kept() -> None:
    for seed in range(30):
        for text in variants("4 of 8 and 4 more, then 5, then 12 and 24, with 12", seed):
            a, b, c, d, e, f, g = (int(number) for number in NUMERAL.findall(text))
            assert a == c
            assert e == g
            assert a < d < b < e < f
            assert (b % a, e % a, f % e) == (0, 0, 0)
            assert b % d
            assert e % d


def test_halves_stay_halves_of_even_numbers() -> None:
    for seed in range(20):
        assert {int(text.split()[2]) % 2 for text in variants("half of 24 nuts", seed)} == {0}
        assert {int(text.split()[2]) % 3 for text in variants("1/3 of 24 nuts", seed)} == {0}


def test_a_swapped_number_never_meets_one_that_stays() -> None:
    # 5 stays in the time: the plain 4 must not become 5
    assert {text for seed in range(9) for text in variants("4 trains at 5:30", seed, ["4 5 6"])} == {
        "4 trains at 5:30",
        "6 trains at 5:30",
    }


def test_draws_follow_the_benchmarks_frequencies() -> None:
    pool = ["30", "30", "30", "40"]
    drawn = Counter(text for seed in range(400) for text in variants("20 figs", seed, pool)[1:])
    # 20, 30 and 40 are used once, three times and once
    assert [drawn[f"{at} figs"] / 3200 for at in (20, 30, 40)] == pytest.approx([0.2, 0.6, 0.2], abs=0.05)


def test_variants_are_exchangeable() -> None:
    """An original that is itself a draw from the constrained law ranks uniformly among its twins."""
    texts = [f"{small} and {large}" for small in range(2, 30) for large in range(small + 1, 60) if large % small == 0]
    family = Numbers(texts)
    rng = np.random.default_rng(0)
    rows = []
    for text in rng.choice(texts, 1500):
        start = draw(text, family.slots(text), 1, rng)[1].text  # one run of the chain: no longer chosen by us
        rows.append([sum(map(value, NUMERAL.findall(one.text))) for one in draw(start, family.slots(start), 6, rng)])
    assert abs(preference(rows, rng, 100).z) < 3
    assert abs(preference(-np.array(rows), rng, 100).z) < 3


def test_relations_tell_what_matters_apart() -> None:
    pairs = [(2, 4), (4, 2), (2, 5), (5, 2), (3, 3), (2, 6), (0, 3), (0, 0)]
    codes = [int(relation(np.array(one), np.array(other))) for one, other in pairs]
    assert len(set(codes[:6])) == 6
    assert relation(np.array(3), np.array(6)) == codes[0]
    assert relation(np.array(3), np.array(9)) == codes[5]


def test_slots_of_a_twin_are_those_of_the_question() -> None:
    questions = [
        *POOL,
        "12 of 24 and 35 for $7, half of 46; 2 days for two pens at 20%, 4 trains at 5:30, 1,200 or 3,400",
    ]
    family = Numbers(questions)
    for question in questions:
        slots = family.slots(question)
        for variant in draw(question, slots, 8, np.random.default_rng(0)):
            again = family.slots(variant.text)
            assert [slot.pool.values for slot in again] == [slot.pool.values for slot in slots]
            assert tuple(sorted(span for slot in again for span in slot.spans)) == variant.places


@given(
    st.lists(st.text(st.sampled_from("0123456789,.:/-% $abé有個٣٤\n"), max_size=40), min_size=1, max_size=8),
    st.integers(0, 9),
)
def test_nothing_but_numbers_changes(texts: list[str], seed: int) -> None:
    family = Numbers(texts)
    for text in texts:
        for variant in draw(text, family.slots(text), 3, np.random.default_rng(seed)):
            assert len(variant.text) == len(text)
            assert NUMERAL.sub("#", variant.text) == NUMERAL.sub("#", text)
            old, new = ([value(mention.text) for mention in mentions(one)] for one in (text, variant.text))
            assert (np.sign(np.subtract.outer(old, old)) == np.sign(np.subtract.outer(new, new))).all()


# --- families together -----------------------------------------------------------------------------------

PEOPLE = [
    f"{name} buys {at} red pens on {day}, and {name} loses {2 * at} of them on the way home. How many pens are left?"
    for at, (name, day) in enumerate(
        ((name, day) for name in ("Anna", "Lucy", "Mary", "Jane") for day in ("Monday", "Friday", "Tuesday")), 2
    )
]


@pytest.mark.parametrize("choice", CHOICES)
def test_makers_keep_their_promises(choice: str) -> None:
    maker = TwinMaker(PEOPLE, choice, 5, seed=3)
    found = {question: twinned for question in PEOPLE if (twinned := maker.of(question))}
    assert len(found) > 9
    for question, twinned in found.items():
        assert len(twinned.variants) == 6
        assert twinned.variants[0].text == question
        assert 0 < twinned.n_distinct <= 5
        assert {variant.text for variant in twinned.variants[1:]}.isdisjoint(set(PEOPLE) - {question})
        assert twinned == TwinMaker(PEOPLE, choice, 5, seed=3).of(question)
    assert [maker.of(question) for question in PEOPLE] != [
        TwinMaker(PEOPLE, choice, 5, seed=4).of(question) for question in PEOPLE
    ]


def test_what_each_choice_swaps() -> None:
    question = PEOPLE[0]
    seen = {}
    for choice in CHOICES:
        twinned = TwinMaker(PEOPLE, choice, 30, seed=0).of(question)
        assert twinned is not None
        seen[choice] = {
            detail
            for variant in twinned.variants
            for detail, original in zip(variant.details, twinned.variants[0].details, strict=True)
            if detail != original
        }
    assert seen["names"] == {"Lucy", "Mary", "Jane"}
    assert seen["details"] == {"Friday", "Tuesday"}
    assert all(detail.isdecimal() for detail in seen["numbers"])
    assert seen["auto"] == seen["names"]
    assert seen["all"] > seen["names"] | seen["details"]


def test_numbers_step_in_where_there_is_nothing_else() -> None:
    questions = [*PEOPLE, "What are 12 and 24 in all, with 4 left over for 3 of them?", "And 13 with 46, or 5 and 9?"]
    maker = TwinMaker(questions, "auto", 8)
    assert {twinned.families for question in questions if (twinned := maker.of(question))} == {
        ("names",),
        ("numbers",),
    }


def test_a_twin_is_never_another_question() -> None:
    questions = [f"There are {at} figs" for at in range(2, 9)]
    assert [TwinMaker(questions, "numbers").of(question) for question in questions] == [None] * 7


@pytest.mark.parametrize(
    ("question", "others", "choice"),
    [
        ("Tom has seven apples and 12 oranges. How many apples does he have?", ["two apples", "six apples"], "all"),
        ("At 5 Miles had 12 figs. How many figs has he?", ["Aaron had 6.", "Miles had 7 figs and he ate."], "all"),
        ("Mr. Smith has 12 books. James has 14. He ate 3 and he paid 2.", ["Lewis had 5.", "Mr. Brown ran."], "auto"),
        ("She gave Will apples. Will has 12 apples and he eats 3.", ["Noah ran to 5 pears.", "Will ate."], "auto"),
    ],
)
def test_twins_that_would_be_read_otherwise_are_refused(question: str, others: list[str], choice: str) -> None:
    maker = TwinMaker([question, *others, *PEOPLE], choice, 30)
    twinned = maker.of(question)
    families = twinned.families if twinned else ()
    for variant in twinned.variants if twinned else ():
        slots, originals = maker.slots(variant.text, families), maker.slots(question, families)
        assert [slot.pool.values for slot in slots] == [slot.pool.values for slot in originals]


def test_tables_of_numbers_take_no_time() -> None:
    rng = np.random.default_rng(0)
    lists = [f"List {at}: " + " and ".join(f"{n} things" for n in rng.integers(100, 999, 40)) for at in range(60)]
    maker = TwinMaker(lists, "numbers")
    assert all(twinned is None or len(twinned.variants) == 9 for twinned in map(maker.of, lists[:3]))


def test_questions_with_code_get_no_number_twins() -> None:
    questions = ["def f(x):\n    >>> f(12)\n    24", *(f"Ann has {at} figs" for at in range(20, 60))]
    assert TwinMaker(questions, "numbers").of(questions[0]) is None


def test_unknown_choice() -> None:
    with pytest.raises(UsageError, match="choose from auto, names, details, numbers, all"):
        TwinMaker(PEOPLE, "vowels")


def test_slots_move_together_and_apart() -> None:
    pool = pool_of({"a": 1, "b": 1, "c": 1})
    slots = [Slot(((0, 1), (4, 5)), "a", pool, as_it_is), Slot(((2, 3),), "b", pool, as_it_is)]
    for variant in draw("a b a", slots, 40, np.random.default_rng(0)):
        first, second, third = variant.details
        assert first == third != second
        assert variant == Variant(" ".join(variant.details), ((0, 1), (2, 3), (4, 5)))


# --- the self-check --------------------------------------------------------------------------------------


def told_apart(rows: list[list[Variant]]) -> float:
    return preference(classify(rows), np.random.default_rng(0)).p_value


def test_self_check_sees_odd_twins_and_passes_exchangeable_ones() -> None:
    rng = np.random.default_rng(1)

    def variant(number: int) -> Variant:
        return Variant(f"He has {number} figs.", ((7, 7 + len(str(number))),))

    odd = [
        [variant(10 * int(rng.integers(1, 9))), *(variant(int(rng.integers(11, 99))) for _ in range(8))]
        for _ in range(150)
    ]
    alike = [[variant(int(rng.integers(11, 99))) for _ in range(9)] for _ in range(150)]
    assert told_apart(odd) < 0.001
    assert told_apart(alike) > 0.01


def test_self_check_sees_relations_between_numbers() -> None:
    rng = np.random.default_rng(2)

    def variant(one: int, other: int) -> Variant:
        return Variant(f"{one} of {other}", ((0, 2), (6, 8)))

    def numbers() -> list[int]:
        return [int(number) for number in rng.integers(10, 99, 2)]

    rows = [[variant(*sorted(numbers())), *(variant(*numbers()) for _ in range(6))] for _ in range(200)]
    assert told_apart(rows) < 0.001


# --- real questions --------------------------------------------------------------------------------------


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
def test_real_questions() -> None:
    questions = load_benchmark(str(Path(os.environ["CONTAMCHECK_DATA"]) / "gsm8k_test.jsonl")).questions
    family = Numbers(questions)
    covered = 0
    for question in questions[::4]:
        slots = family.slots(question)
        twins = draw(question, slots, 8, np.random.default_rng(0))
        covered += any(twin.text != question for twin in twins)
        for twin in twins[-2:]:
            assert [slot.pool.values for slot in family.slots(twin.text)] == [slot.pool.values for slot in slots]
    assert covered / len(questions[::4]) > 0.85
