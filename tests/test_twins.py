"""Number twins: what they swap, what they leave, and that they are the seed's alone."""

import os
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contamcheck.benchmarks import load_benchmark
from contamcheck.twins.base import twins_of
from contamcheck.twins.numbers import NUMERAL, PLAIN, NumberTwins, numerals

POOL = [
    "2 3 4 5 6 7 8 9",
    "12 13 24 35 46",
    "20 30 40",
    "1.5 2.5 3.5",
    "1,200 3,400 5,600",
    "1,250.50 7,180.20",
    "٢ ٣ ٤",
]


def twin(text: str, seed: int = 0, pool: list[str] | None = None) -> str | None:
    return NumberTwins(pool or POOL).twin(text, np.random.default_rng(seed))


@pytest.mark.parametrize(
    "text",
    [
        "the 1st of May", "a 16GB disk", "at 5:30 pm", "3/4 of it", "2^3 cm", "on 2021-10-27", "version 3.11.7",
        "seats 12-14", "from -5 degrees", "bib 007", "0 or 1", "1e3 g", "room B12", "x2", "at 10:00", "24/7",
        "12\u201314 March", "on 2021\u201112\u201124", "12\u204413 cup", "12 / 13", "12 ^ 2", "12**2", "12*2", "12,13",
        "12 345 people", "12'345 people", "12\u202f345 people", "12\u00ad13", "a\u030112", "12\u20e3",
        "٢٫٤ كتب", "12\u200b13", "٢\u0301", "12.5.2", "12-", "12-$13", "-$12", "1200 or 1,200",
    ],
)  # fmt: skip
def test_parts_of_something_larger_are_left(text: str) -> None:
    assert twin(text) is None


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("pays $1,250.50 now", r"pays \$7,180\.20 now"),
        ("sells 1,200 seats", r"sells [35],[46]00 seats"),
        ("runs 2.5 km", r"runs [13]\.5 km"),
        ("has 20 figs.", r"has [34]0 figs\."),
        ("a 7% fee", r"a [2-689]% fee"),
        ("小明有12个苹果", r"小明有(13|24|35|46)个苹果"),
        ("사과 12개", r"사과 (13|24|35|46)개"),
        ("٣ كتب", "[٢٤] كتب"),
        ("a 5-year-old", r"a [2-46-9]-year-old"),
        ("(12, 13)", r"\((?!12)\d\d, (?!13)\d\d\)"),
    ],
)
def test_numbers_keep_their_shape(text: str, shape: str) -> None:
    for seed in range(20):
        assert re.fullmatch(shape, twin(text, seed) or ""), twin(text, seed)


def test_equal_numbers_stay_equal_and_different_ones_different() -> None:
    for seed in range(50):
        text = twin("12 of 12 and 13 of 24, then 12 more", seed)
        assert text is not None
        a, b, c, d, e = numerals(text)
        assert a == b == e
        assert len({a, c, d}) == 3


def test_a_swapped_number_never_meets_one_that_stays() -> None:
    # 5 stays in the time: the plain 4 must not become 5
    assert {twin("4 trains at 5:30", seed, ["4 5 6"]) for seed in range(30)} == {"6 trains at 5:30"}


def test_a_number_in_two_spellings_stays_equal() -> None:
    assert {twin("1200 or 1,200 of 20 seats", seed, [*POOL, "1300 2400"]) for seed in range(20)} == {
        "1200 or 1,200 of 30 seats",
        "1200 or 1,200 of 40 seats",
    }


def test_a_twin_is_never_another_question() -> None:
    questions = [f"Ann has {at} figs" for at in range(2, 9)]
    assert twins_of(questions, NumberTwins(questions), seed=0) == [None] * 7
    twins = twins_of(questions, NumberTwins([*questions, "9"]), seed=0)
    assert set(twins) <= {"Ann has 9 figs", None}
    assert "Ann has 9 figs" in twins


def test_numbers_without_another_of_their_shape_are_left() -> None:
    assert twin("12 figs and 345 nuts", pool=["12 24", "345"]) == "24 figs and 345 nuts"
    assert twin("345 nuts", pool=["12 24", "345"]) is None
    # Only two values for two numbers: each may take the other's place
    assert twin("12 figs and 24 nuts", pool=["12 24"]) == "24 figs and 12 nuts"


def test_draws_follow_the_benchmarks_frequencies() -> None:
    family = NumberTwins(["30 30 30 40", "20"])
    drawn = Counter(family.twin("20 figs", np.random.default_rng(seed)) for seed in range(2_000))
    assert drawn["30 figs"] / 2_000 == pytest.approx(0.75, abs=0.04)  # four standard errors
    assert set(drawn) == {"30 figs", "40 figs"}


def test_seed_and_text_alone_decide() -> None:
    questions = [f"{at} figs and {at + 20} nuts" for at in range(12, 60)]
    family = NumberTwins(questions)
    twins = twins_of(questions, family, seed=3)
    assert twins == twins_of(questions, NumberTwins(questions), seed=3)
    assert twins[::-1] == twins_of(questions[::-1], family, seed=3)
    assert twins != twins_of(questions, family, seed=4)


@given(
    st.lists(st.text(st.sampled_from("0123456789,.:/-% abé有個٣٤\n"), max_size=40), min_size=1, max_size=8),
    st.integers(0, 9),
)
def test_nothing_but_numbers_changes(texts: list[str], seed: int) -> None:
    family = NumberTwins(texts)
    for text, other in zip(texts, twins_of(texts, family, seed), strict=True):
        if other is None:
            continue
        assert other != text
        assert len(other) == len(text)
        assert NUMERAL.sub("#", other) == NUMERAL.sub("#", text)
        old, new = PLAIN.findall(text), PLAIN.findall(other)
        assert len(set(zip(old, new, strict=True))) == len(set(old)) == len(set(new))
        staying = set(NUMERAL.findall(PLAIN.sub(" ", text)))
        assert not any(after in staying for before, after in zip(old, new, strict=True) if before != after)


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
def test_most_real_questions_have_a_twin() -> None:
    questions = load_benchmark(str(Path(os.environ["CONTAMCHECK_DATA"]) / "gsm8k_test.jsonl")).questions
    twins = twins_of(questions, NumberTwins(questions), seed=0)
    assert sum(other is not None for other in twins) / len(questions) > 0.9
