"""A runner without a model: deterministic scores and continuations, and a memory that can be filled.

It is a real, if simple, causal language model over words: what it writes is what it scores highest. Tests of
contamcheck and of plug-ins use it where no library is installed; it is public for that reason.
"""

import math
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from contamcheck.errors import TextTooLongError, UsageError
from contamcheck.runners.base import Numerics, Runner, TokenLogprobs
from contamcheck.runners.tokens import context_length

TOKEN = re.compile(r"\s*(?:[0-9]+(?:[.,][0-9]+)*|[^\W\d_]+|.)|\s+", re.DOTALL)
COMMON = (" the", " of", " and", " in", " a", " how", " many", " more", " than", " 3", " 12", " 40", ".", ",")
# Log-probability of a token that a memorised text has next; far above what chance gives.
REMEMBERED = math.log(0.95)


class FakeRunner(Runner):
    """Scores and continues words by a hash of their context, and memorised texts by heart.

    Parameters
    ----------
    model : str
        Any name; two names are two models that agree on nothing.
    memorised : sequence of str, or path
        Texts that the model knows by heart, or a UTF-8 file with one a line.
    max_tokens : int
        Longest text.

    Examples
    --------
    >>> with FakeRunner("parrot", memorised=["Nine bees sat on 24 pots of honey."]) as runner:
    ...     runner.complete(["Nine bees sat on"], 4)
    [' 24 pots of honey']
    """

    def __init__(self, model: str, *, memorised: Sequence[str] | str | Path = (), max_tokens: int = 4096) -> None:
        self.model = model
        self.n_params = 1
        self.max_tokens = context_length({"n_ctx": max_tokens})
        self.numerics = Numerics("contamcheck fake", "float64", "cpu")
        if isinstance(memorised, str | Path):
            try:
                memorised = Path(memorised).read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"can't read the memorised texts in {memorised}: {error}") from error
        self._next: dict[tuple[str, ...], str] = {}
        for text in memorised:
            tokens = tuple(TOKEN.findall(text))
            self._next |= {tokens[:at]: tokens[at] for at in range(1, len(tokens))}

    def token_logprobs(self, texts: Sequence[str], *, start: bool = False) -> list[TokenLogprobs]:
        """Score each text's words; see `Runner.token_logprobs`."""
        split = [list(TOKEN.finditer(text)) for text in texts]
        self._check_lengths([len(tokens) + start for tokens in split])
        results = []
        for tokens in split:
            words = tuple(token.group() for token in tokens)
            first = 0 if start else 1
            results.append(
                TokenLogprobs(
                    np.array([zlib.crc32(word.encode()) for word in words[first:]], np.int64),
                    np.array([self._logprob(words[:at], words[at]) for at in range(first, len(words))], np.float64),
                    np.array([token.span() for token in tokens[first:]], np.int64).reshape(-1, 2),
                )
            )
            self.progress(1)
        return results

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Continue each prefix by words; see `Runner.complete`."""
        split = [tuple(TOKEN.findall(prefix)) for prefix in prefixes]
        self._check_lengths([len(words) + max_new_tokens for words in split])
        continuations = []
        for words in split:
            known = words
            for _ in range(max_new_tokens):
                words += (self._next.get(words) or self._favourite(words),)
            continuations.append("".join(words[len(known) :]))
            self.progress(1)
        return continuations

    def _favourite(self, context: Iterable[str]) -> str:
        last = tuple(context)
        return max(COMMON, key=lambda word: self._logprob(last, word))

    def _logprob(self, context: tuple[str, ...], word: str) -> float:
        if self._next.get(context) == word:
            return REMEMBERED
        last = context[-1] if context else ""
        chance = zlib.crc32(f"{self.model}\0{last}\0{word}".encode()) / 2**32
        return -1.0 - 3.0 * chance if word in COMMON else -5.0 - 6.0 * chance

    def _check_lengths(self, lengths: Sequence[int]) -> None:
        too_long = {index: length for index, length in enumerate(lengths) if length > self.max_tokens}
        if too_long:
            raise TextTooLongError(too_long, self.max_tokens)
