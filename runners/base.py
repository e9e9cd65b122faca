"""What every runner is: one backend bound to one model, two verbs, lists in and lists out.

A runner scores texts (`token_logprobs`) and continues them greedily (`complete`). Everything else - twins,
references, statistics - is built on these two and doesn't know which backend answers. `TokenRunner` adds what
all backends share that take token ids; a backend of another kind may implement `Runner` directly.
`contamcheck.runners.contract` checks that a runner keeps its promises.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from contamcheck.errors import RunnerError, TextTooLongError, in_short
from contamcheck.runners.tokens import TextEncoder, batches, equal_length_batches, in_halves

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """Log-probabilities of the scored tokens of one text.

    Parameters
    ----------
    token_ids : int64 array, shape (n,)
        The scored tokens; a begin-of-text token is never among them.
    logprobs : float64 array, shape (n,)
        log p(token | all tokens before it), in nats, each at most 0.
    offsets : int64 array, shape (n, 2)
        First character of each token in the text, and the one after its last.
    """

    token_ids: NDArray[np.int64]
    logprobs: NDArray[np.float64]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Numerics:
    """What decides a runner's rounding: scores are comparable only where all three agree.

    Parameters
    ----------
    backend : str
        Library and version, such as ``onnxruntime 1.32.0``.
    dtype : str
        Type of the weights and activations, such as ``float32``.
    device : str
        ``cpu``, ``cuda`` or ``mps``.
    """

    backend: str
    dtype: str
    device: str


class Runner(ABC):
    """One backend bound to one model.

    Attributes
    ----------
    model : str
        As the user named it.
    revision : str or None
        The commit that the Hub resolved the name to; None for local models.
    n_params : int
        Number of parameters.
    max_tokens : int
        Longest text, in tokens and with a begin-of-text token, that the model takes.
    numerics : Numerics
        Backend, dtype and device.
    progress : callable
        Called with the number of texts finished since the last call; does nothing unless set.
    """

    model: str
    revision: str | None = None
    n_params: int
    max_tokens: int
    numerics: Numerics
    progress: Callable[[int], None] = staticmethod(lambda finished: None)

    @abstractmethod
    def token_logprobs(self, texts: Sequence[str], *, start: bool = False) -> list[TokenLogprobs]:
        """Score each text's tokens, given the tokens before them.

        Parameters
        ----------
        texts : sequence of str
            Scored independently of one another: neither batch size nor neighbours change an answer.
        start : bool
            Put the begin-of-text token, else the end-of-text token, first where the tokenizer itself adds none,
            so that the first text token is scored too. Otherwise that token is left out.

        Returns
        -------
        list of TokenLogprobs
            One per text, in the order of `texts`; an empty list for no texts.

        Raises
        ------
        TextTooLongError
            Before anything is scored, when texts need more than `max_tokens` tokens.
        RunnerError
            When a log-probability is NaN or infinite, or `start` is asked of a tokenizer with neither token.
        """

    @abstractmethod
    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Continue each prefix greedily: at every step the most probable token, without penalties.

        Parameters
        ----------
        prefixes : sequence of str
            Continued independently of one another.
        max_new_tokens : int
            The continuation ends there, or at the model's end-of-text token.

        Returns
        -------
        list of str
            One continuation per prefix, without the prefix and without special tokens.

        Raises
        ------
        TextTooLongError
            Before anything is generated, when a prefix and its continuation need more than `max_tokens` tokens.
        """

    def close(self) -> None:  # noqa: B027  # most backends have nothing to free
        """Free the model's memory; the runner can't be used afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class TokenRunner(Runner):
    """A runner whose backend takes token ids; a subclass brings `_score`, `_generate` and the attributes.

    Attributes
    ----------
    encoder : TextEncoder
        The model's tokenizer.
    end_ids : frozenset of int
        Tokens that end a continuation.
    token_budget : int
        Most padded tokens in one batch.
    batch_size : int or None
        Most texts in one batch.
    """

    encoder: TextEncoder
    end_ids: frozenset[int]
    token_budget: int
    batch_size: int | None

    @abstractmethod
    def _score(self, batch: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        """Log-probabilities of tokens 1, 2, ... of each row of ids: shape (len(row) - 1,) each."""

    @abstractmethod
    def _generate(self, batch: Sequence[Sequence[int]], max_new_tokens: int) -> list[list[int]]:
        """Greedy new ids for rows of one length; what follows an end-of-text id is ignored."""

    def _out_of_memory(self, error: Exception) -> bool:
        """Whether a smaller batch might help."""
        return isinstance(error, MemoryError)

    def token_logprobs(self, texts: Sequence[str], *, start: bool = False) -> list[TokenLogprobs]:
        """Score each text's tokens; see `Runner.token_logprobs`."""
        encoded = self.encoder.encode(texts, start=start)
        self._check_lengths([len(text.ids) for text in encoded])
        rows: list[NDArray[np.float64]] = [np.empty(0)] * len(encoded)
        for batch in batches([len(text.ids) for text in encoded], self.token_budget, self.batch_size):
            scorable = [index for index in batch if len(encoded[index].ids) > 1]
            answers = self._in_halves(self._score, [encoded[index].ids for index in scorable])
            for index, logprobs in zip(scorable, answers, strict=True):
                rows[index] = logprobs
            self.progress(len(batch))
        results = []
        for text, logprobs, source in zip(encoded, rows, texts, strict=True):
            first = max(text.n_prefix, 1)
            kept = logprobs[first - 1 :]
            if not np.isfinite(kept).all():
                raise RunnerError(
                    f"{self.model} ({self.numerics.dtype} on {self.numerics.device}) gives log-probabilities that "
                    f"aren't finite, first for {source[:60]!r}; its weights or this precision can't be used"
                )
            # rounding can leave a certain token a hair above log 1
            results.append(
                TokenLogprobs(
                    np.asarray(text.ids[first:], np.int64),
                    np.minimum(kept, 0.0),
                    np.asarray(text.offsets[first:], np.int64).reshape(-1, 2),
                )
            )
        return results

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Continue each prefix greedily; see `Runner.complete`."""
        encoded = [text.ids for text in self.encoder.encode(prefixes, start=not all(prefixes))]
        self._check_lengths([len(ids) + max_new_tokens for ids in encoded])
        continuations = [""] * len(encoded)
        for batch in equal_length_batches(
            [len(ids) for ids in encoded], max_new_tokens, self.token_budget, self.batch_size
        ):
            answers = self._in_halves(
                lambda rows: self._generate(rows, max_new_tokens), [encoded[index] for index in batch]
            )
            for index, new_ids in zip(batch, answers, strict=True):
                end = next((at for at, token in enumerate(new_ids) if token in self.end_ids), len(new_ids))
                continuations[index] = self.encoder.continuation(encoded[index], new_ids[:end])
            self.progress(len(batch))
        return continuations

    def _check_lengths(self, lengths: Sequence[int]) -> None:
        too_long = {index: length for index, length in enumerate(lengths) if length > self.max_tokens}
        if too_long:
            raise TextTooLongError(too_long, self.max_tokens)

    def _in_halves(
        self, run: Callable[[Sequence[Sequence[int]]], list[Answer]], batch: Sequence[Sequence[int]]
    ) -> list[Answer]:
        if not batch:
            return []
        try:
            return in_halves(run, batch, self._out_of_memory)
        except Exception as error:
            if self._out_of_memory(error):
                raise RunnerError(
                    f"{self.model} has too little memory on {self.numerics.device} for a single text of "
                    f"{len(batch[0])} tokens; use a smaller model or another --device"
                ) from error
            if isinstance(error, RunnerError):
                raise
            raise RunnerError(f"{self.model} can't be run on {self.numerics.backend}: {in_short(error)}") from error
