"""The checks that every runner must pass.

`self_test` is the cheap part: it runs whenever a model is loaded, and catches what has silently spoilt scores
elsewhere (attention that sees the future, padding that leaks, logits shifted by one, NaN weights).
`check_contract` is the whole, for the tests of a runner:

    from contamcheck.runners.contract import check_contract

    def test_my_runner():
        with MyRunner("some-model") as runner:
            check_contract(runner)
"""

import numpy as np

from contamcheck.errors import RunnerError, TextTooLongError
from contamcheck.runners.base import Runner, TokenLogprobs

SHORT = "Twelve boats left."
LONG = "The miller sold 14 sacks of flour on Monday and 23 on Tuesday, and the baker paid 9 coins for every sack."
LONGER = LONG + " How many coins did the two of them count?"
# Mean absolute difference, in nats, between two scores of one text. Kernels for other shapes round differently:
# far below this in float32, by hundredths in 16 bits (and by far more where attention or padding is wrong).
TOLERANCE = {"float32": 0.005, "float64": 0.005}
TOLERANCE_16_BIT = 0.25
# Building a text past the largest contexts would take longer than it tells.
LARGEST_CONTEXT_TRIED = 50_000


def self_test(runner: Runner) -> None:
    """Make sure that a freshly loaded model's scores can be trusted; takes a few short forward passes.

    Parameters
    ----------
    runner : Runner
        The runner.

    Raises
    ------
    RunnerError
        When scores aren't finite, or depend on later tokens, on neighbours or on their order; or when the model's
        context is too short to tell.
    """
    try:
        _score_and_compare(runner)
    except TextTooLongError as error:
        raise RunnerError(
            f"{runner.model} takes only {runner.max_tokens} tokens, too few for any question; check its context length"
        ) from error


def _score_and_compare(runner: Runner) -> None:
    alone = [runner.token_logprobs([text])[0] for text in (SHORT, LONG, LONGER)]
    _expect(
        len(alone[0].token_ids) > 0,
        runner,
        "its tokenizer gives no tokens for plain text; are the tokenizer's files there?",
    )
    shared = _shared_tokens(alone[1], alone[2])
    _expect(
        shared > 0 and _close(runner, alone[1].logprobs[:shared], alone[2].logprobs[:shared]),
        runner,
        "a token's score depends on the tokens behind it, so it isn't a causal language model",
    )
    together = runner.token_logprobs([LONG, SHORT, LONGER])
    _expect(
        _same(runner, together, [alone[1], alone[0], alone[2]]),
        runner,
        "a score depends on what else is in the batch",
    )
    backwards = runner.token_logprobs([LONGER, SHORT, LONG])
    _expect(
        _same(runner, backwards, [alone[2], alone[0], alone[1]]),
        runner,
        "a score depends on the order of the texts",
    )
    _check_shift(runner)


def check_contract(runner: Runner) -> None:
    """Check everything that `Runner` promises.

    Parameters
    ----------
    runner : Runner
        A freshly loaded runner; it stays usable.

    Raises
    ------
    RunnerError
        Naming the first promise that doesn't hold.
    """
    self_test(runner)
    _expect(
        runner.token_logprobs([]) == [] and runner.complete([], 4) == [],
        runner,
        "no texts must give no results",
    )
    for scored in runner.token_logprobs([SHORT, LONG]), runner.token_logprobs([SHORT, LONG], start=True):
        for text, result in zip((SHORT, LONG), scored, strict=True):
            _check_arrays(runner, text, result)
    plain, started = (runner.token_logprobs([LONG], start=start)[0] for start in (False, True))
    _expect(started.offsets[0, 0] == 0, runner, "with start=True the first token must be scored")
    _expect(
        len(started.token_ids) - len(plain.token_ids) in (0, 1),
        runner,
        "start=True must add one scored token at most",
    )
    _check_completions(runner)
    _check_limit(runner)


def _check_arrays(runner: Runner, text: str, result: TokenLogprobs) -> None:
    n = len(result.token_ids)
    _expect(
        [array.dtype.name for array in (result.token_ids, result.logprobs, result.offsets)]
        == ["int64", "float64", "int64"],
        runner,
        "arrays must be int64, float64, int64",
    )
    _expect(
        result.logprobs.shape == (n,) and result.offsets.shape == (n, 2),
        runner,
        "arrays must be of one length",
    )
    _expect(
        bool((result.logprobs <= 0).all() and np.isfinite(result.logprobs).all()),
        runner,
        "log-probabilities must be finite and at most 0",
    )
    starts, ends = result.offsets.T
    _expect(
        bool(
            (starts >= 0).all()
            and (starts <= ends).all()
            and (ends <= len(text)).all()
            and (np.diff(starts) >= 0).all()
        ),
        runner,
        "offsets must run through the text",
    )


def _check_shift(runner: Runner) -> None:
    """The greedy continuation must outscore others: logits that are shifted by one wouldn't let it."""
    others = [" ship", " zebra", " 7", "?"]
    greedy = runner.complete([LONG], 1)[0]
    scored = runner.token_logprobs([LONG, *(LONG + other for other in (greedy, *others))])
    before = scored[0].token_ids.tolist()
    # Only continuations by exactly one token that leave the text's own tokens alone can be compared.
    last = {
        other: result.logprobs[-1]
        for other, result in zip((greedy, *others), scored[1:], strict=True)
        if result.token_ids.tolist()[:-1] == before
    }
    if greedy in last:
        margin = _tolerance(runner)
        _expect(
            all(last[greedy] >= value - margin for value in last.values()),
            runner,
            "the token that it writes isn't the one that it scores highest",
        )


def _check_completions(runner: Runner) -> None:
    prefixes = [LONG, SHORT, LONG[:40]]
    together = runner.complete(prefixes, 6)
    _expect(len(together) == 3, runner, "complete must give one continuation per prefix")
    if runner.numerics.dtype in TOLERANCE:
        # In 16 bits two nearly equal tokens may change places with the batch.
        _expect(
            together == [runner.complete([prefix], 6)[0] for prefix in prefixes],
            runner,
            "a continuation depends on what else is in the batch",
        )
    _expect(
        runner.complete([LONG], 1)[0] == "" or together[0].startswith(runner.complete([LONG], 1)[0]),
        runner,
        "a longer continuation must begin like a shorter one",
    )


def _check_limit(runner: Runner) -> None:
    if runner.max_tokens > LARGEST_CONTEXT_TRIED:
        return
    too_long = " a b" * runner.max_tokens
    for call in (
        lambda: runner.token_logprobs([SHORT, too_long, LONG]),
        lambda: runner.complete([SHORT, too_long, LONG], 2),
    ):
        try:
            call()
        except TextTooLongError as error:
            _expect(
                list(error.lengths) == [1] and error.limit == runner.max_tokens,
                runner,
                "TextTooLongError must name the texts and the limit",
            )
        else:
            _expect(False, runner, "a text past max_tokens must raise TextTooLongError")


def _shared_tokens(one: TokenLogprobs, other: TokenLogprobs) -> int:
    n = min(len(one.token_ids), len(other.token_ids))
    differs = np.flatnonzero(one.token_ids[:n] != other.token_ids[:n])
    return int(differs[0]) if len(differs) else n


def _same(runner: Runner, ones: list[TokenLogprobs], others: list[TokenLogprobs]) -> bool:
    return len(ones) == len(others) and all(
        np.array_equal(one.token_ids, other.token_ids) and _close(runner, one.logprobs, other.logprobs)
        for one, other in zip(ones, others, strict=True)
    )


def _close(runner: Runner, ones: np.ndarray, others: np.ndarray) -> bool:
    return ones.shape == others.shape and float(np.abs(ones - others).mean()) <= _tolerance(runner)


def _tolerance(runner: Runner) -> float:
    return TOLERANCE.get(runner.numerics.dtype, TOLERANCE_16_BIT)


def _expect(holds: bool, runner: Runner, promise: str) -> None:
    if not holds:
        raise RunnerError(f"{runner.model} can't be trusted on {runner.numerics.backend}: {promise}")
