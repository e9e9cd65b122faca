"""Person names: which words are swapped, which never, for what, and that a twin is found to have the same slots."""

import json
import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contamcheck.twins.base import Slot
from contamcheck.twins.draws import draw
from contamcheck.twins.given_names import AMBIGUOUS, FEMALE, MALE, UNISEX
from contamcheck.twins.names import Names

# Every kind of name that pools are made of, each in a place that takes it.
STAFF = (
    "Tom has 3 figs. He eats one.",
    "Bob has 3 figs. He eats one.",
    "Mark has 3 figs. He eats one.",
    "Will has 3 figs. He eats one.",
    "Mike has 3 figs. He eats one.",
    "Anna has 3 figs. She eats one.",
    "Mary has 3 figs. She eats one.",
    "Rose has 3 figs. She eats one.",
    "Grace has 3 figs. She eats one.",
    "Sarah has 3 figs. She eats one.",
    "James has 3 figs. He eats one.",
    "Lucas has 3 figs. He eats one.",
    "Peter has 3 figs. He eats one.",
    "Elizabeth has 3 figs.",
    "Alexandria has 3 figs.",
    "Alex has 3 figs. She eats one.",
    "Kris has 3 figs. She eats one.",
    "Jess has 3 figs. He eats one.",
    "Jordan walks home. He is tired.",
    "Martin walks home. He is tired.",
)


def slots(question: str, *others: str) -> dict[str, set[str]]:
    """Names found in a question, and what may stand for each."""
    return {slot.value: set(slot.pool.values) for slot in Names([*STAFF, *others, question]).slots(question)}


def found(question: str, *others: str) -> list[str]:
    return list(slots(question, *others))


def places(found_slots: list[Slot]) -> list[tuple[int, tuple[str, ...], tuple[float, ...]]]:
    """What question and twin must have in common, wherever longer names move it."""
    return [(len(slot.spans), slot.pool.values, tuple(slot.pool.weights)) for slot in found_slots]


# --- names that are swapped ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "mentions"),
    [
        pytest.param("Mary eats. How many figs has Mary?", 2, id="repeated"),
        pytest.param("Is it Mary's fig, or Mary’s pear?", 2, id="possessive"),
        pytest.param("“Mary” and 'Mary' (Mary), Mary; Mary!", 5, id="quotes and brackets"),
        pytest.param("A Mary-sized cake for ex-Mary: Mary—yes.", 0, id="article before a compound"),
        pytest.param("One Mary-sized cake.", 1, id="compound"),
        pytest.param("If Mary eats, will Mary'll eat? On Monday Mary eats.", 3, id="capitals that open sentences"),
        pytest.param("Aunt Mary eats her sister Mary's figs.", 2, id="kin"),
        pytest.param("She ate at Mary's house.", 1, id="at a person's house"),
        pytest.param("Mary\nSmith", 1, id="line end between"),
    ],
)
def test_all_mentions_are_one_slot(question: str, mentions: int) -> None:
    spans = [slot.spans for slot in Names([*STAFF, question]).slots(question)]
    assert [len(span) for span in spans] == [mentions] * (mentions > 0)
    assert all(question[start:end] == "Mary" for span in spans for start, end in span)


def test_pools_keep_gender_and_length_and_count_questions() -> None:
    question = "Mary and Bob met Mary's aunt."
    assert slots(question) == {"Mary": {"Anna", "Mary"}, "Bob": {"Bob", "Tom"}}
    (mary, _) = Names([*STAFF, question]).slots(question)
    assert dict(zip(mary.pool.values, mary.pool.weights, strict=True)) == {"Anna": 1, "Mary": 2}


def test_long_names_share_a_pool() -> None:
    assert slots("Elizabeth eats.") == {"Elizabeth": {"Elizabeth", "Alexandria"}}


def test_names_in_s_keep_to_themselves_where_it_shows() -> None:
    assert slots("It is James' fig.") == {"James": {"James", "Lucas"}}
    assert slots("It is James's fig.") == {"James": {"James", "Lucas"}}
    assert slots("It is Peter's fig.") == {"Peter": {"Peter"}}
    assert slots("James eats.") == {"James": {"James", "Lucas", "Peter"}}


def test_names_of_both_genders_go_by_the_pronouns() -> None:
    assert slots("Alex eats her fig.") == {"Alex": {"Alex", "Kris"}}


def test_what_else_occurs_is_no_choice() -> None:
    assert slots("Bob has a tom turkey.") == {"Bob": {"Bob"}}
    assert slots("Bob has two Toms.") == {"Bob": {"Bob"}}
    assert slots("Bob met Tom Smith.") == {"Bob": {"Bob"}}


def test_a_name_from_elsewhere_is_no_slot() -> None:
    assert [slot.value for slot in Names(STAFF).slots("Yvonne met Bob.")] == ["Bob"]


# --- words that are left ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Mary Smith eats. Mary sleeps.", id="full name, all mentions"),
        pytest.param("Mrs. Mary eats.", id="title"),
        pytest.param("They saw Mr Peter.", id="title without a dot"),
        pytest.param("They went to St. Mary.", id="saint"),
        pytest.param("J. Peter eats.", id="initial"),
        pytest.param("Mary-Ann eats.", id="double name"),
        pytest.param("They saw D'Mary.", id="second part of a name"),
        pytest.param("They saw Mary'an.", id="first part of a name"),
        pytest.param("They swim in Lake Mary.", id="lake"),
        pytest.param("Mary & Bob sell figs.", id="firm"),
        pytest.param("They eat at Mary's.", id="restaurant"),
        pytest.param("They buy Mary's Figs.", id="brand"),
        pytest.param("They live in Mary.", id="place"),
        pytest.param("They sank the Mary.", id="article"),
        pytest.param("His dog Peter barks.", id="pet"),
        pytest.param("Mary eats. MARY sleeps.", id="capitals"),
        pytest.param("Mary eats. mary sleeps.", id="lower case"),
        pytest.param("The Marys eat. Does Mary?", id="family"),
        pytest.param("Mary.age = Mary2 + mary_Mary + Mary/2", id="code"),
        pytest.param('>>> greet("x")\nGreets Mary.', id="doctest"),
        pytest.param("def count(a):\n    Counts what Mary has.", id="function"),
        pytest.param("How many vowels has Mary?", id="letters matter"),
        pytest.param("Texas has 3 towns. Paris has 2. Christmas is on Friday in May.", id="places and days"),
        pytest.param("玛丽有3个苹果。 Мария ест. Μαρία τρώει. मैरी खाती है। ماري تأكل", id="other scripts"),
        pytest.param("", id="empty"),
    ],
)
def test_left_alone(question: str) -> None:
    assert found(question) == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Tom eats her fig.", []),
        ("Mary eats his fig.", []),
        ("Tom eats his fig. She sleeps.", ["Tom"]),
        ("Tom's sister eats her fig.", ["Tom"]),
        ("Tom eats with her mom.", []),
        ("Tom and Mary eat her fig.", ["Tom", "Mary"]),
        ("Tom and Alex eat her fig.", ["Tom", "Alex"]),
        ("Her brother Mary eats.", []),
        ("Her brother Tom eats.", ["Tom"]),
    ],
)
def test_gender_must_agree(question: str, names: list[str]) -> None:
    assert found(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Will has 3 figs. He eats.", ["Will"]),
        ("Will has 3 figs.", []),
        ("Will he eat 3 figs?", []),
        ("Will has 3 figs. Will he eat? It will do.", []),
        ("Rose bushes cost 3 dollars. She buys 2.", []),
        ("His friend Mark is 3. He eats.", ["Mark"]),
        ("Jordan walks home. He is tired.", ["Jordan"]),
        ("Jordan is hot. He flew to Jordan.", []),
        ("They crossed the Jordan. He swam.", []),
    ],
)
def test_ambiguous_words_need_evidence(question: str, names: list[str]) -> None:
    assert found(question) == names


def test_ambiguous_words_come_only_where_they_would_be_found() -> None:
    assert slots("Mike sleeps.")["Mike"] == {"Mike"}
    assert slots("Mike has a fig. He eats.")["Mike"] == {"Mike", "Mark", "Will"}


def test_ambiguous_words_weigh_as_in_the_places_that_take_them() -> None:
    sure = "Mike has a fig. He eats."
    questions = [sure, "Mike sleeps.", "Mike runs.", "Mark has a fig. He eats.", "Mark sleeps."]
    (slot,) = Names(questions).slots(sure)
    # A third of Mike's places are sure ones: beside all three of his, Mark's one counts three times.
    assert dict(zip(slot.pool.values, slot.pool.weights, strict=True)) == {"Mike": 3, "Mark": 3}


def test_a_word_that_the_benchmark_writes_small_needs_evidence() -> None:
    others = ["Two bobs.", "A bob hangs.", "He bought a bob.", "One bob."]
    assert found("Bob sleeps.") == ["Bob"]
    assert found("Bob sleeps.", *others) == []
    assert found("Bob has a fig. He sleeps.", *others) == ["Bob"]


# --- names that no list has ------------------------------------------------------------------------------

LEARNT = "Xandor has 3 figs. He eats one."


def test_an_unlisted_name_is_learned_with_its_gender() -> None:
    assert slots("Did Xandor meet Mary?", LEARNT) == {"Xandor": {"Martin", "Xandor"}, "Mary": {"Anna", "Mary"}}
    assert found("Did Xandor meet Mary?") == ["Mary"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("Xandor has 3 figs. She eats one.", id="both genders"),
        pytest.param("They live in Xandor.", id="place"),
        pytest.param("The Xandor sinks.", id="article"),
        pytest.param("He is in Xandor City.", id="longer name"),
        pytest.param("A xandor flies.", id="lower case"),
    ],
)
def test_what_else_may_be_meant_is_not_learned(other: str) -> None:
    assert found("Did Xandor eat?", LEARNT, other) == []


@pytest.mark.parametrize(
    "question",
    [
        "Xandor has 3 figs. Mike has 2. He eats one.",
        "Xandor sank. He swam.",
        "A king of Xandor has 3 figs. He eats one.",
        "Walmart sells figs. He eats one.",
        "Waxwood is dear. He eats one.",
        "There is a man. Xandor eats figs. He eats one.",
        "He says that Xandor eats figs.",
    ],
)
def test_no_name_without_clear_evidence(question: str) -> None:
    assert set(found(question)) <= {"Mike"}


# --- twins -----------------------------------------------------------------------------------------------


def test_order_of_questions_and_case_do_not_matter() -> None:
    questions = [*STAFF, LEARNT]
    shuffled = random.Random(0).sample(questions, len(questions))
    for question in questions:
        assert places(Names(questions).slots(question)) == places(Names(shuffled).slots(question))


VOCABULARY = """
    Tom Bob Mark Will Mike Anna Mary Rose Grace Sarah James Lucas Peter Elizabeth Alexandria Alex Kris Jess Jordan
    Martin Xandor Mrs. St. Lake dog sister brother friend has eats He She he she his her will rose a the in at from to
    and If Will's James' Mary's Tom-sized MIKE Toms , . ? " ' ( - Smith 5 letters
"""
WORDS = st.sampled_from(VOCABULARY.split())


@given(st.lists(st.lists(WORDS, max_size=14), max_size=4), st.integers(0, 99), st.sampled_from([" ", "", "\n"]))
@settings(max_examples=100, deadline=None)
def test_twins_have_the_slots_of_their_question(texts: list[list[str]], seed: int, gap: str) -> None:
    questions = [*STAFF, LEARNT, *((gap if len(words) % 5 == 0 else " ").join(words) for words in texts)]
    names = Names(questions)
    for question in questions[len(STAFF) :]:
        own = names.slots(question)
        assert all(question[start:end] == slot.value for slot in own for start, end in slot.spans)
        assert all(slot.value in slot.pool.values for slot in own)
        for twin in draw(question, own, 4, np.random.default_rng(seed)):
            assert places(names.slots(twin.text)) == places(own)


@given(st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert places(Names([text]).slots(text)) == places(Names([text, text][:1]).slots(text))


def test_long_texts_are_read_fast() -> None:
    text = "Tom has Bob's figs, and Mary sleeps. " * 2000
    names = Names(STAFF)
    start = time.perf_counter()
    assert [len(slot.spans) for slot in names.slots(text)] == [2000, 2000, 2000]
    assert time.perf_counter() - start < 2


def test_an_empty_benchmark_has_no_names() -> None:
    assert Names([]).slots("Tom eats.") == []


def test_lists_do_not_contradict_one_another() -> None:
    assert not FEMALE & MALE | FEMALE & UNISEX | MALE & UNISEX
    assert AMBIGUOUS <= FEMALE | MALE | UNISEX
    assert not (FEMALE | MALE | UNISEX) & {"April", "May", "June", "August"}


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
def test_real_questions() -> None:
    lines = (Path(os.environ["CONTAMCHECK_DATA"]) / "gsm8k_test.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    names = Names(questions)
    rng = np.random.default_rng(0)
    swapped = 0
    for question in questions:
        own = names.slots(question)
        texts = {variant.text for variant in draw(question, own, 4, rng)}
        swapped += len(texts) > 1
        for text in texts:
            other = names.slots(text)
            assert places(other) == places(own)
            if len(text) == len(question):
                assert [slot.spans for slot in other] == [slot.spans for slot in own]
    assert swapped > 0.6 * len(questions)
