"""Min-K% Prob: are even a question's most surprising tokens no surprise to the model?

Unseen text always holds tokens that surprise a model (a name, an odd number); memorised text doesn't. The mean
over the most surprising fifth shows that better than the mean over all (Shi et al. 2024, arXiv:2310.16789).
"""

from collections.abc import Sequence

import numpy as np

from contamcheck.methods.base import Measurement, TwinsWanted
from contamcheck.runners.base import Runner
from contamcheck.stats import min_k_prob
from contamcheck.twins.draws import Variant

RATIO = 0.2


class MinK:
    """Min-K% Prob with k = 20%, minus the reference model's."""

    name = "min-k"
    uses_reference = True
    twins: TwinsWanted = "first"
    meaning = f"even the {RATIO:.0%} most surprising tokens of the question surprise the model unusually little"
    unscorable = "have a single token"

    def measure(self, runner: Runner, variants: Sequence[Variant]) -> Measurement:
        """Score each text with one model; see `Method.measure`."""
        scored = runner.token_logprobs([variant.text for variant in variants])
        return Measurement(np.array([min_k_prob(text.logprobs, RATIO) for text in scored], np.float64))
