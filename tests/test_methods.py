"""Completion and min-k by hand, and in scripts without spaces."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contamcheck.methods.completion import MOST_WORDS, Completion, halve, recall
from contamcheck.methods.min_k import MinK
from contamcheck.runners.fake import FakeRunner
from contamcheck.scripts import words
from contamcheck.stats import min_k_prob
from contamcheck.twins.draws import Variant
from contamcheck.twins.numerals import numeral_places


def halves(text: str) -> tuple[str, str]:
    prefix, rest, _ = halve(Variant(text, ()))
    return prefix, rest


def with_numbers(text: str) -> Variant:
    return Variant(text, numeral_places(text))


def test_halves_keep_white_space() -> None:
    code = "def area(w, h):\n    # 12 by 40\n\treturn w * h"
    prefix, rest = halves(code)
    assert code.startswith(prefix)
    assert code.endswith(rest)
    assert code[len(prefix) : -len(rest)].isspace()


def test_second_half_is_cut_at_forty_words() -> None:
    _, rest = halves(" ".join(f"w{at}" for at in range(200)))
    assert rest.split() == [f"w{at}" for at in range(100, 100 + MOST_WORDS)]


@pytest.mark.parametrize(
    ("text", "prefix", "rest"),
    [
        ("小明有12个苹果和30个梨", "小明有12个", "苹果和30个梨"),
        ("มีส้ม 12 ผล", "มีส้ม", "12 ผล"),
        ("りんごが12個あります", "りんごが12", "個あります"),
    ],
)
def test_scripts_without_spaces_are_cut_by_characters(text: str, prefix: str, rest: str) -> None:
    assert halves(text) == (prefix, rest)


@given(st.text(min_size=1).filter(lambda text: len(words(text)) >= 2))
def test_halves_are_pieces_of_the_text(text: str) -> None:
    prefix, rest = halves(text)
    assert prefix
    assert rest
    assert text.startswith(prefix)
    assert rest in text[len(prefix) :]


@pytest.mark.parametrize(
    ("text", "details", "written", "share"),
    [
        ("Ann has 3 figs and 12 plums .", ["12"], "and 12 plums", 1.0),
        ("Ann has 3 figs and 12 plums .", ["12"], "and 112 plums", 0.0),
        ("Ann has 3 figs and 12 plums .", ["12"], "and 12.5 plums", 0.0),
        ("Ann has 3 big figs and 12 plums, 40 nuts", ["12", "40"], "and 12 figs", 0.5),
        ("Ann has 3 figs for $1,250.50 now .", ["1,250.50"], "for 1250.50.", 1.0),
        ("Ann has 3 figs for 1200 now .", ["1200"], "for 1,200, or", 1.0),
        ("Ann has 12 figs and 12 plums and 4 nuts", ["4"], "12", 0.0),
    ],
)
def test_recall_counts_new_numbers_as_wholes(text: str, details: list[str], written: str, share: float) -> None:
    assert halve(with_numbers(text))[2] == details
    assert recall(details, written) == share


def test_names_are_details_too() -> None:
    text = "Some figs of Ann went to Anna and to Ann"
    places = tuple(match.span() for match in re.finditer("Anna?", text))
    assert halve(Variant(text, places))[2] == ["Anna"]
    assert [recall(["Anna"], written) for written in ("to ANNA", "to Ann", "to Annabel")] == [1, 0, 0]


def test_no_new_detail_gives_no_score() -> None:
    assert math.isnan(recall(halve(with_numbers("Ann has 3 figs and 3 plums"))[2], "3"))


def test_measures_of_a_model_that_remembers() -> None:
    known = "Ann packs 12 figs into 4 boxes, then 35 plums into 7 more; how many boxes are there?"
    other = known.replace("35", "46").replace("7", "8")
    with FakeRunner("parrot", memorised=[known]) as runner:
        completion = Completion().measure(runner, [with_numbers(known), with_numbers(other)])
        assert completion.scores.tolist() == [1.0, 0.0]
        assert completion.continuations[0] is not None
        assert "into 7 more" in completion.continuations[0].written
        scores = MinK().measure(runner, [with_numbers(known), with_numbers(other)]).scores
        assert scores[0] > scores[1]
        assert scores[1] == min_k_prob(runner.token_logprobs([other])[0].logprobs)
