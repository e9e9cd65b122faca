"""Pure helpers between texts, token ids and batches; they know no model.

One `TextEncoder` stands behind all runners that take token ids, so that begin-of-text tokens and character
offsets follow one rule whatever the backend.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tokenizers import Encoding, Tokenizer

from contamcheck.errors import RunnerError

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# Tokenizers without a limit of their own say so with a huge number; configs without one say nothing.
NO_LIMIT = 10**9
# Logits of one batch, in bytes: past this a larger batch no longer pays and only costs memory.
LOGITS_BYTES = 2**28


@dataclass(frozen=True, slots=True)
class EncodedText:
    """Token ids of one text.

    Parameters
    ----------
    ids : list of int
        Begin-of-text tokens, then the text's own.
    n_prefix : int
        How many begin-of-text tokens stand first.
    offsets : list of (int, int)
        Character start and end of each token in the text.
    """

    ids: list[int]
    n_prefix: int
    offsets: list[tuple[int, int]]


class TextEncoder:
    """A tokenizer with one rule for begin-of-text tokens.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
        The model's own. Truncation and padding that its file may ask for are switched off.
    start_id : int or None
        Begin-of-text token, else end-of-text token: what `start` puts first.
    """

    def __init__(self, tokenizer: Tokenizer, start_id: int | None) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._start_id = start_id

    def encode(self, texts: Sequence[str], *, start: bool = False) -> list[EncodedText]:
        """Token ids of each text, with the begin-of-text token where the tokenizer adds one.

        Parameters
        ----------
        texts : sequence of str
            The texts.
        start : bool
            Put `start_id` first where the tokenizer adds nothing.

        Returns
        -------
        list of EncodedText
            One per text. What the tokenizer adds behind a text is left out.

        Raises
        ------
        RunnerError
            When `start` is asked and there is no such token.
        """
        encoded = [_without_template(encoding) for encoding in self._tokenizer.encode_batch(list(texts))]
        if not start:
            return encoded
        return [text if text.n_prefix else self._with_start(text) for text in encoded]

    def continuation(self, prefix_ids: Sequence[int], new_ids: Sequence[int]) -> str:
        """Text of `new_ids` as it stands behind the prefix, without special tokens."""
        # Decoded alone, a sentencepiece continuation would lose its first space.
        prefix = self._tokenizer.decode(list(prefix_ids))
        whole = self._tokenizer.decode([*prefix_ids, *new_ids])
        return whole[len(prefix) :] if whole.startswith(prefix) else self._tokenizer.decode(list(new_ids))

    def _with_start(self, text: EncodedText) -> EncodedText:
        if self._start_id is None:
            raise RunnerError(
                "the tokenizer has neither a begin-of-text nor an end-of-text token, so the first token of a text "
                "can't be scored"
            )
        return EncodedText([self._start_id, *text.ids], 1, [(0, 0), *text.offsets])


def _without_template(encoding: Encoding) -> EncodedText:
    # Tokens that the template adds cover no characters; a special token written out in the text does.
    added = [
        bool(special) and end == 0
        for special, (_, end) in zip(encoding.special_tokens_mask, encoding.offsets, strict=True)
    ]
    first = next((at for at, is_added in enumerate(added) if not is_added), len(added))
    last = next((at for at in range(len(added), first, -1) if not added[at - 1]), first)
    prefix = [token for at, token in enumerate(encoding.ids[:first]) if at == 0 or token != encoding.ids[at - 1]]
    return EncodedText(
        [*prefix, *encoding.ids[first:last]],
        len(prefix),
        [(0, 0)] * len(prefix) + encoding.offsets[first:last],
    )


def batches(lengths: Sequence[int], token_budget: int, batch_size: int | None) -> Iterator[list[int]]:
    """Indices of texts in batches of similar length, longest first.

    Parameters
    ----------
    lengths : sequence of int
        Tokens of each text.
    token_budget : int
        Most tokens of a batch, padding counted; a longer single text is a batch of its own.
    batch_size : int or None
        Most texts of a batch.

    Yields
    ------
    list of int
        Indices into `lengths`; each index comes once.

    Examples
    --------
    >>> list(batches([3, 9, 4, 8], token_budget=18, batch_size=None))
    [[1, 3], [2, 0]]
    """
    batch: list[int] = []
    # Longest first: what doesn't fit into memory shows at once.
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        full = batch and (len(batch) == batch_size or lengths[batch[0]] * (len(batch) + 1) > token_budget)
        if full:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def equal_length_batches(
    lengths: Sequence[int], max_new_tokens: int, token_budget: int, batch_size: int | None
) -> Iterator[list[int]]:
    """Indices of prefixes in batches of exactly one length, so that generation needs no padding.

    Parameters
    ----------
    lengths : sequence of int
        Tokens of each prefix.
    max_new_tokens : int
        Counted in with each prefix.
    token_budget, batch_size : int
        As in `batches`.

    Yields
    ------
    list of int
        Indices into `lengths`; each index comes once.
    """
    groups: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        groups.setdefault(length, []).append(index)
    for length, group in sorted(groups.items(), reverse=True):
        for batch in batches([length + max_new_tokens] * len(group), token_budget, batch_size):
            yield [group[at] for at in batch]


def in_halves(
    run: Callable[[Sequence[Item]], list[Answer]],
    batch: Sequence[Item],
    out_of_memory: Callable[[Exception], bool],
) -> list[Answer]:
    """Run a batch; where memory runs out, run its halves instead, down to single items.

    Parameters
    ----------
    run : callable
        Takes items, gives one answer each.
    batch : sequence
        The items.
    out_of_memory : callable
        Whether an exception means that a smaller batch might do.

    Returns
    -------
    list
        One answer per item, in order.
    """
    try:
        return run(batch)
    except Exception as error:
        if len(batch) == 1 or not out_of_memory(error):
            raise
    # Outside the handler: its exception would keep the failed batch's memory alive.
    middle = len(batch) // 2
    return in_halves(run, batch[:middle], out_of_memory) + in_halves(run, batch[middle:], out_of_memory)


def budget_for(vocabulary: int, most: int) -> int:
    """Token budget that keeps a batch's float32 logits within `LOGITS_BYTES`, and at most `most`."""
    return max(1, min(most, LOGITS_BYTES // (4 * vocabulary)))


def context_length(config: Mapping[str, Any], tokenizer_limit: Any = None) -> int:
    """Longest text in tokens that a model takes, by its config and its tokenizer's limit.

    Parameters
    ----------
    config : mapping
        The model's ``config.json``.
    tokenizer_limit : number, optional
        The tokenizer's ``model_max_length``.

    Returns
    -------
    int
        The smaller of the two; `NO_LIMIT` where neither says anything.

    Raises
    ------
    RunnerError
        When a limit is no positive number: scores past the true one would be wrong silently.

    Examples
    --------
    >>> context_length({"n_positions": 1024}, 1e30)
    1024
    """
    keys = ("max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len", "n_ctx")
    inner = config.get("text_config")
    text_config = {**config, **(inner if isinstance(inner, Mapping) else {})}
    given = {key: text_config.get(key) for key in keys} | {"model_max_length": tokenizer_limit}
    limits = [NO_LIMIT]
    for key, value in given.items():
        if value is None:
            continue
        try:
            limits.append(int(min(float(value), NO_LIMIT)))
        except (TypeError, ValueError, OverflowError):
            limits.append(0)
        if limits[-1] < 1:
            raise RunnerError(f"the model's files give {key} as {value!r}, which is no length; correct it there")
    return min(limits)


def end_tokens(configured: Any, own: int | None) -> frozenset[int]:
    """Tokens that end a continuation.

    Parameters
    ----------
    configured : int, list of int, or None
        ``eos_token_id`` of the model's generation settings.
    own : int or None
        The tokenizer's end-of-text token.

    Returns
    -------
    frozenset of int
        Both together.

    Raises
    ------
    RunnerError
        When something else is configured.

    Examples
    --------
    >>> sorted(end_tokens([7, 9], 2))
    [2, 7, 9]
    """
    listed = [*(configured if isinstance(configured, list) else [configured]), own]
    if odd := [token for token in listed if token is not None and type(token) is not int]:
        raise RunnerError(f"the model's files give eos_token_id {odd[0]!r}, which is no token id; correct it there")
    return frozenset(token for token in listed if token is not None)
