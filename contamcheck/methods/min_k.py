"""Min-K% Prob: are even a question's most surprising tokens no surprise to the model?

Unseen text always holds tokens that surprise a model (a name, an odd number); memorised text doesn't. The mean
over the most surprising fifth shows that better than the mean over all (Shi et al. 2024, arXiv:2310.16789).
"""

from collections.abc import Sequence

import numpy as np

from contamcheck.methods.base import Measurement
from contamcheck.runners.base import Runner
from contamcheck.stats import min_k_prob

RATIO = 0.2


class MinK:
    """Min-K% Prob with k = 20%, minus the reference model's."""

    name = "min-k"
    uses_reference = True
    meaning = f"Even the {RATIO:.0%} most surprising tokens of the question don't surprise the model"
    unscorable = "have a single token"

    def measure(self, runner: Runner, texts: Sequence[str]) -> Measurement:
        """Score each text with one model; see `Method.measure`."""
        return Measurement(
            np.array([min_k_prob(scored.logprobs, RATIO) for scored in runner.token_logprobs(texts)], np.float64)
        )
