"""The helpers between texts, ids and batches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import KINDS, Kind, tokenizer

from contamcheck.errors import RunnerError
from contamcheck.runners.tokens import (
    NO_LIMIT,
    TextEncoder,
    batches,
    budget_for,
    context_length,
    end_tokens,
    equal_length_batches,
    in_halves,
)

TEXT = "Ada packs 12 figs into 4 boxes, 小明有12个"
START = {"llama": 0, "twice": 0, "gpt2": 0, "bare": None}


def encoder(kind: Kind) -> TextEncoder:
    return TextEncoder(tokenizer(kind), START[kind])


@pytest.mark.parametrize(("kind", "prefix"), [("llama", [0]), ("twice", [0]), ("gpt2", []), ("bare", [])])
def test_begin_of_text_stands_first_once_and_nothing_behind(kind: Kind, prefix: list[int]) -> None:
    (text,) = encoder(kind).encode([TEXT])
    assert text.ids[: text.n_prefix] == prefix
    assert not {0, 1}.intersection(text.ids[text.n_prefix :]) or kind == "bare"
    assert text.offsets[-1][1] == len(TEXT)  # neither cut nor padded by what its file asks for


@pytest.mark.parametrize("kind", ["llama", "twice", "gpt2"])
def test_start_puts_one_token_first_whatever_the_tokenizer_does(kind: Kind) -> None:
    (text,) = encoder(kind).encode([TEXT], start=True)
    assert (text.ids[0], text.n_prefix, text.offsets[0], text.offsets[1][0]) == (0, 1, (0, 0), 0)


def test_start_without_a_token_for_it_is_refused() -> None:
    with pytest.raises(RunnerError, match="neither a begin-of-text nor an end-of-text token"):
        encoder("bare").encode([TEXT], start=True)


def test_a_special_token_written_in_the_text_is_text() -> None:
    (text,) = encoder("llama").encode(["<s> 12 figs </s>"])
    assert (text.n_prefix, text.ids.count(0), text.ids[-1]) == (1, 2, 1)


@pytest.mark.parametrize("kind", KINDS)
@given(text=st.text(min_size=1, max_size=30))
def test_offsets_cover_every_character(kind: Kind, text: str) -> None:
    (encoded,) = encoder(kind).encode([text])
    covered = {at for start, end in encoded.offsets for at in range(start, end)}
    assert covered == set(range(len(text)))


def test_continuation_keeps_its_first_space() -> None:
    coder = encoder("llama")
    (prefix,), (whole,) = coder.encode(["Ada packs"]), coder.encode(["Ada packs 12 figs"])
    assert coder.continuation(prefix.ids, whole.ids[len(prefix.ids) :]) == " 12 figs"
    assert coder.continuation(prefix.ids, [1]) == ""


LENGTHS = st.lists(st.integers(1, 50), max_size=40)


@given(LENGTHS, st.integers(1, 120), st.none() | st.integers(1, 5))
def test_batches_hold_each_text_once_within_both_limits(lengths: list[int], budget: int, most: int | None) -> None:
    made = list(batches(lengths, budget, most))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or max(lengths[index] for index in batch) * len(batch) <= budget
        assert most is None or len(batch) <= most


@given(LENGTHS, st.integers(1, 120), st.none() | st.integers(1, 5))
def test_equal_length_batches_need_no_padding(lengths: list[int], budget: int, most: int | None) -> None:
    made = list(equal_length_batches(lengths, 4, budget, most))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    assert all(len({lengths[index] for index in batch}) == 1 for batch in made)


def test_batches_are_halved_until_they_fit() -> None:
    sizes: list[int] = []

    def run(batch: object) -> list[int]:
        items: list[int] = list(batch)  # type: ignore[call-overload]
        sizes.append(len(items))
        if len(items) > 2:
            raise MemoryError
        return [item * 10 for item in items]

    assert in_halves(run, list(range(7)), lambda error: isinstance(error, MemoryError)) == [0, 10, 20, 30, 40, 50, 60]
    assert sizes == [7, 3, 1, 2, 4, 2, 2]


def test_other_errors_and_single_texts_are_not_halved() -> None:
    def run(batch: object) -> list[int]:
        raise MemoryError("no")

    with pytest.raises(MemoryError):
        in_halves(run, [1], lambda error: True)
    with pytest.raises(MemoryError):
        in_halves(run, [1, 2], lambda error: False)


@pytest.mark.parametrize(
    ("config", "limit", "expected"),
    [
        ({"max_position_embeddings": 2048}, 1e30, 2048),
        ({"n_positions": 1024}, 512, 512),
        ({"text_config": {"max_position_embeddings": 32}}, None, 32),
        ({}, 1e30, NO_LIMIT),
        ({}, None, NO_LIMIT),
        ({"n_ctx": "512", "max_seq_len": None, "text_config": None}, None, 512),
        ({"n_ctx": 64.0}, "32", 32),
    ],
)
def test_context_length(config: dict[str, object], limit: float | None, expected: int) -> None:
    assert context_length(config, limit) == expected


def test_budget_shrinks_with_the_vocabulary() -> None:
    assert budget_for(1_000, 2_048) == 2_048
    assert budget_for(152_000, 2_048) < 512
    assert budget_for(10**12, 2_048) == 1


@pytest.mark.parametrize(
    ("config", "limit"),
    [({"n_ctx": "many"}, None), ({"n_ctx": 0}, None), ({"n_positions": [8]}, None), ({}, "none"), ({}, float("nan"))],
)
def test_a_context_length_that_is_no_number_is_refused(config: dict[str, object], limit: object) -> None:
    with pytest.raises(RunnerError, match="which is no length"):
        context_length(config, limit)


@pytest.mark.parametrize("configured", ["2", [2, "3"], 2.0, True, [[2]]])
def test_an_end_that_is_no_token_is_refused(configured: object) -> None:
    with pytest.raises(RunnerError, match="which is no token id"):
        end_tokens(configured, None)
