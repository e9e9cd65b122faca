"""Likelihood: is the question likelier than its twins, beyond what a reference model thinks of them?

What a question and its twins share cancels in the comparison, so the sum over all tokens is the sum over what differs
and what follows it. A neutral first token lets a name at the very start count.
"""

from collections.abc import Sequence

import numpy as np

from contamcheck.methods.base import Measurement, TwinsWanted
from contamcheck.runners.base import Runner
from contamcheck.twins.draws import Variant


class Likelihood:
    """Log-likelihood of the whole text, in nats."""

    name = "likelihood"
    uses_reference = True
    twins: TwinsWanted = "every"
    meaning = "the question is unusually much likelier than its twins; p is of all questions' ranks among theirs"
    unscorable = "are as likely as their twins"

    def measure(self, runner: Runner, variants: Sequence[Variant]) -> Measurement:
        """Score each text with one model; see `Method.measure`."""
        scored = runner.token_logprobs([variant.text for variant in variants], start=True)
        return Measurement(
            np.array([text.logprobs.sum() for text in scored], np.float64),
            lengths=tuple(len(text.logprobs) for text in scored),
        )
