"""Details twins: what may be swapped for what, what is left alone, and that a twin's slots are the question's."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contamcheck.benchmarks import load_benchmark
from contamcheck.twins.base import Slot
from contamcheck.twins.classes import FORMS, KINDS, Kind
from contamcheck.twins.details import Details
from contamcheck.twins.draws import draw

FRUIT = [
    "How many apples are 3 apples?",
    "How many pears are 2 pears?",
    "How many plums are 2 plums and an orange?",
    "How many plums are 4 plums and an apricot?",
]
DAYS = [
    f"How many of the 7 cups did he wash on {day}?" for day in ("Monday", "Tuesday", "Friday", "Saturday", "Sunday")
]
RUNS = [f"He drank 2 cups on {days} . How many?" for days in ("Monday and Tuesday", "Tuesday and Wednesday")]
RUNS += [f"He drank 2 cups on {days} . How many?" for days in ("Wednesday and Thursday", "Thursday and Friday")]
COLOURS = [f"How many of the 9 {colour} balls are left?" for colour in ("red", "blue", "green", "yellow")]
CHILDREN = ["How many of the 8 boys sing?", "How many of the 8 girls sing?"]
CHILDREN += ["How many more are 9 boys than 8 girls?", "How many more are 9 girls than 8 boys?"]
SURNAMES = [f"Mr. {name} has 3 cups. How many cups has Mr. {name}?" for name in ("Smith", "Jones", "Brown")]
MONTHS = [f"In {month}, it cost $5. How much is that?" for month in ("May", "June", "November", "January")]
MONTHS += [f"In {two}, it cost $5. How much is that?" for two in ("May and in June", "December and in January")]
SHOPS = ["How much are 2 pens at the store?", "How much are 2 pens at the shop?", "How much is one pencil of the 3?"]
ENDS = [f"He lost 3 of 5 things. How many is that {end}?" for end in ("in total", "altogether", "in all")]
BENCHMARK = [*FRUIT, *DAYS, *RUNS, *COLOURS, *CHILDREN, *SURNAMES, *MONTHS, *SHOPS, *ENDS]
FAMILY = Details(BENCHMARK)


def pools(question: str, family: Details = FAMILY) -> dict[str, set[str]]:
    return {slot.value: set(slot.pool.values) for slot in family.slots(question)}


def written(question: str, slot: Slot, value: str) -> str:
    for start, end in reversed(slot.spans):
        question = question[:start] + slot.write(value, question[start:end]) + question[end:]
    return question


def places(question: str, slots: list[Slot]) -> list[tuple[str, tuple[str, ...], list[float]]]:
    """Where the slots are, told by what is around them, and what may stand there."""
    spans = sorted((span, number) for number, slot in enumerate(slots) for span in slot.spans)
    frame, done = "", 0
    for (start, end), number in spans:
        frame += question[done:start] + f"\0{number}\0"
        done = end
    frame += question[done:]
    return [(frame, slot.pool.values, slot.pool.weights.tolist()) for slot in slots]


def check(question: str, family: Details, seed: int, n: int = 4) -> int:
    slots = family.slots(question)
    firsts = [slot.spans[0] for slot in slots]
    assert firsts == sorted(firsts)
    for slot in slots:
        assert slot.value in slot.pool.values
        assert written(question, slot, slot.value) == question
    if not slots:
        return 0
    twins = [twin.text for twin in draw(question, slots, n, np.random.default_rng(seed))]
    for text in twins:
        assert places(text, family.slots(text)) == places(question, slots)
    return sum(text != question for text in twins)


# --- what is swapped -------------------------------------------------------------------------------------


def test_all_forms_and_places_change_together() -> None:
    question = "How many of 2 pears has he? Pears are good, and the pear is best. PEARS!"
    (slot,) = FAMILY.slots(question)
    assert [question[start:end] for start, end in slot.spans] == ["pears", "Pears", "pear", "PEARS"]
    assert written(question, slot, "plum") == "How many of 2 plums has he? Plums are good, and the plum is best. PLUMS!"


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("How much is a pear of 3?", {"pear", "plum"}),
        ("How much is an apple of 3?", {"apple", "orange", "apricot"}),
        ("How much is a fresh pear of 3?", {"apple", "pear", "plum", "orange", "apricot"}),
        ("How much is the pear of 3?", {"apple", "pear", "plum", "orange", "apricot"}),
        ("How much are 3 pears and a pear?", {"pear", "plum"}),
    ],
)
def test_article_looks_at_the_next_word(question: str, kept: set[str]) -> None:
    assert list(pools(question).values()) == [kept]


def test_weights_are_numbers_of_questions() -> None:
    (slot,) = FAMILY.slots("How many pears are 2 pears?")
    weights = dict(zip(slot.pool.values, slot.pool.weights, strict=True))
    assert weights == {"apple": 1, "pear": 1, "plum": 2, "orange": 1, "apricot": 1}


def test_guarded_questions_count_for_the_pool() -> None:
    family = Details([FRUIT[1], "How much do 3 plums weigh?", "How many plum trees are 3 plum trees?"])
    (slot,) = family.slots(FRUIT[1])
    assert dict(zip(slot.pool.values, slot.pool.weights, strict=True)) == {"pear": 1, "plum": 1}


def test_lists_carry_what_was_before_them() -> None:
    assert pools("How many of 3 cups have Mr. Smith and Jones?").keys() == {"Smith", "Jones"}
    assert pools("How many of 3 cups have Mr. Smith and then Jones?") == {}


def test_only_what_the_benchmark_uses_is_drawn() -> None:
    assert pools("How many figs are 2 figs?") == {}
    assert pools("How many kiwis are 2 pears and 3 kiwis?").keys() == {"pear"}


def test_two_of_a_class_stay_two() -> None:
    question = "How many are 3 apples and 4 pears, if the apples are sour?"
    for twin in draw(question, FAMILY.slots(question), 50, np.random.default_rng(0)):
        one, other = (twin.text.split()[at] for at in (4, 7))
        assert one != other.removesuffix(",")
        assert twin.text.split()[-3] == one


def test_days_move_together() -> None:
    question = "He drank 2 cups on Monday and 3 on Tuesday. How many on Monday's walk?"
    (slot,) = FAMILY.slots(question)
    assert slot.value == "Monday"
    assert set(slot.pool.values) == {"Monday", "Tuesday", "Wednesday", "Thursday"}
    assert written(question, slot, "Thursday") == question.replace("Tuesday", "Friday").replace("Monday", "Thursday")


@pytest.mark.parametrize(
    ("days", "pool"),
    [
        ("Friday", {"Monday", "Tuesday", "Friday"}),
        ("Sunday", {"Saturday", "Sunday"}),
        ("Thursday and Friday", {"Monday", "Tuesday", "Wednesday", "Thursday"}),
        ("Monday and Friday", None),
        ("Friday and Saturday", None),
        ("Saturday and Sunday", None),
    ],
)
def test_days_stay_within_the_week_and_the_weekend(days: str, pool: set[str] | None) -> None:
    found = list(pools(f"He drank 2 cups on {days}. How many?").values())
    assert found == ([] if pool is None else [pool])


def test_months_go_round() -> None:
    question = "In November and in December, it cost $5. How much is that?"
    family = Details([*MONTHS, question])
    (slot,) = family.slots(question)
    assert written(question, slot, "December") == "In December and in January, it cost $5. How much is that?"


def test_boys_and_girls_change_places() -> None:
    question = "There are 3 boys, 4 girls and a boy. How many girls are there?"
    (slot,) = FAMILY.slots(question)
    assert written(question, slot, "girl") == "There are 3 girls, 4 boys and a girl. How many boys are there?"


def test_phrases_and_surnames() -> None:
    question = "Mrs. Smith has 3 cups. Mr. Jones's 4 cups, how many are they with Mrs. Smith's in total?"
    slots = FAMILY.slots(question)
    assert [slot.value for slot in slots] == ["Smith", "Jones", "in total"]
    assert written(question, slots[2], "altogether").endswith("Mrs. Smith's altogether?")
    assert written(question, slots[0], "Brown").count("Mrs. Brown") == 2


# --- what is left alone ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        # compounds, code, quotes
        "How many pears does a pear tree bear in 2 years?",
        "How much is 2 times pear cake?",
        "How much are 3 pears and a bottle of apple juice?",
        "How many pear-shaped things are among 3 pears?",
        'How many letters are in 2 times "pears"?',
        "How many pears = 3?",
        "How many wild pears are 3?",
        # what only some members are
        "How many monkeys ate the 3 pears?",
        "How many red pears are among 3 green pears?",
        "How much do 3 pears weigh?",
        # names
        "Pear had 3 things. How many?",
        "How many did Red Plum sell of 3?",
        "How many of 3 non-Monday trips were wet?",
        # no story to reckon with
        "Which fruit is sweeter, pears or plums?",
        "In 1950, which pears grew in Chile?",
        # colours of what has a colour of its own, and of lights
        "How many of 3 cars passed the red lights?",
        "How many of the 3 red balls and 2 green peppers are left?",
        "How many of 3 are red?",
        "How many of 3 Red balls are left?",
        "How many of the 4 red foxes ate?",
        # days with a sense
        "He works on Monday and 4 hours at the weekend. How many?",
        "How many cups did he drink on Easter Sunday, 2 or 3?",
        "How many eggs in 5 days from Friday on, with 2 the rest of the week?",
        # months with a sense
        "How many days has May, if 3 are over?",
        "How many cups did May drink, if Bo had 3?",
        "In May, it snowed 3 inches. How much snow is that?",
        # sexes with a sense
        "How many of the 3 boys and 2 girls lost his cap?",
        "How many girls and boys of 9 are scouts?",
        "Ann, Eve and Ida had 3 cups. How many have the girls?",
        "How many cups of 3 has the boys' room?",
        # surnames without a title, verbs
        "Mr. Smith had 3 cups and Brown had 4. How many?",
        "How many shop for 3 hours at the store?",
        "How many in total left of 3 now?",
    ],
)
def test_sense_is_kept(question: str) -> None:
    assert FAMILY.slots(question) == []


def test_one_unsettled_place_leaves_the_class_only() -> None:
    assert pools("How many pears are 3 pears on Friday?").keys() == {"pear", "Friday"}
    assert pools("How many pear trees are 3 pear trees on Friday?").keys() == {"Friday"}


# --- the rules themselves --------------------------------------------------------------------------------


def test_forms_belong_to_one_class() -> None:
    forms = [form for kind in KINDS for form in {form for member in kind.members for form in member}]
    ambiguous = {form for kind in KINDS for one, several in kind.members for form in (one, several)}
    assert len(forms) == len(ambiguous) == len(FORMS)
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_rules_name_classes_not_members() -> None:
    for kind in KINDS:
        for words in (kind.guards, kind.before, kind.after, kind.anchors):
            assert words.isdisjoint(FORMS)
        assert f"<{kind.name}>" not in kind.guards


# --- symmetry --------------------------------------------------------------------------------------------

WORDS = sorted(FORMS) + sorted(set(" ".join(BENCHMARK).split()))
GAPS = st.sampled_from([" ", " ", " ", " ", " and ", ", ", ". ", "? ", " a ", " an ", "-", "'s ", " 3 ", "\n", " the "])
FRAMES = ["the {}.", "in {}.", "Mr. {}, then.", "2 {} balls", "on {}.", "a box with 2 {} of", "fell, {}?"]
FRAMES += ["{} or boys and girls?", "{} or men and women?"]
EVERY = Details(f"How many of 3 things, {frame.format(form)}" for form in FORMS for frame in FRAMES)


@st.composite
def stories(draw_from: st.DrawFn) -> str:
    cases: list[Callable[[str], str]] = [str, str, str, str.capitalize, str.upper]
    parts = draw_from(st.lists(st.tuples(st.sampled_from(cases), st.sampled_from(WORDS), GAPS), max_size=25))
    return "How many of 3 " + "".join(case(word) + gap for case, word, gap in parts) + draw_from(st.sampled_from("?."))


@settings(max_examples=120, deadline=None)
@given(stories(), st.integers(0, 99))
def test_twins_have_the_slots_of_their_question(question: str, seed: int) -> None:
    check(question, EVERY, seed)
    check(question, FAMILY, seed)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_text(questions: list[str]) -> None:
    family = Details(questions)
    for question in questions:
        check(question, family, 0)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_class_can_be_swapped(kind: Kind) -> None:
    """Some plain sentence is understood: no rule of a class shuts it off."""
    questions = [
        f"How many of 3 things, {frame.format(form)}" for member in kind.members for form in member for frame in FRAMES
    ]
    found = {slot.value for question in questions for slot in EVERY.slots(question)}
    assert found >= {one for one, _ in kind.members}


def test_empty_benchmark_and_order_of_questions() -> None:
    assert Details([]).slots(FRUIT[0]) == []
    again = Details(reversed(BENCHMARK))
    for question in BENCHMARK:
        assert places(question, again.slots(question)) == places(question, FAMILY.slots(question))


def test_long_texts_take_linear_time() -> None:
    question = "How many red pens, apples in a box of 3, and Mr. Smith's dogs on Monday? " * 1000
    family = Details([question, question.replace("Monday", "Friday")])
    start = time.perf_counter()
    assert [slot.value for slot in family.slots(question)] == ["Monday"]
    assert time.perf_counter() - start < 1


# --- real benchmarks -------------------------------------------------------------------------------------


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
def test_symmetry_and_reach_on_real_questions() -> None:
    questions = load_benchmark(str(Path(os.environ["CONTAMCHECK_DATA"]) / "gsm8k_test.jsonl")).questions
    start = time.perf_counter()
    family = Details(questions)
    assert time.perf_counter() - start < 2
    assert sum(check(question, family, seed, 8) > 0 for seed, question in enumerate(questions)) > 290


@pytest.mark.skipif("CONTAMCHECK_DATA" not in os.environ, reason="CONTAMCHECK_DATA isn't set")
@pytest.mark.parametrize("name", ["humaneval.jsonl.gz", "mbpp.jsonl", "mmlu_redux_1200.jsonl"])
def test_code_and_knowledge_are_left_alone(name: str) -> None:
    questions = load_benchmark(str(Path(os.environ["CONTAMCHECK_DATA"]) / name)).questions
    family = Details(questions)
    assert sum(bool(family.slots(question)) for question in questions) <= 5
