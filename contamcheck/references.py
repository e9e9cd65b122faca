"""Clean reference models: models that can't have seen today's benchmarks, and the choice among them.

Even a clean model prefers the originals a little, since the numbers that people choose fit together better than
swapped ones. A clean reference shows how much of the preference that is. A reference much smaller than the target
shows too little of it, so the closest in size is chosen.
"""

import math
from dataclasses import dataclass

from contamcheck.runners.source import DEMO

AUTO = "auto"
NONE = "none"
# Past this the largest clean reference here is too small a match.
LARGE = 3e9


@dataclass(frozen=True, slots=True)
class CleanReference:
    """A model whose training data ends before most benchmarks began.

    Parameters
    ----------
    name : str
        On the Hub.
    n_params : float
        Number of parameters.
    """

    name: str
    n_params: float


# Radford et al. 2019; web pages up to the end of 2017, by the model card.
GPT2_FAMILY = (
    CleanReference("openai-community/gpt2", 124e6),
    CleanReference("openai-community/gpt2-medium", 355e6),
    CleanReference("openai-community/gpt2-large", 774e6),
    CleanReference("openai-community/gpt2-xl", 1.5e9),
)


def choose_reference(model: str, n_params: int) -> str:
    """Name of the clean reference for a target: the closest in log size, or the demo's own.

    Parameters
    ----------
    model : str
        The target as the user named it.
    n_params : int
        Its number of parameters.

    Returns
    -------
    str
        A model name.

    Examples
    --------
    >>> choose_reference("Qwen/Qwen2.5-0.5B", 494_000_000)
    'openai-community/gpt2-medium'
    """
    if model.startswith(DEMO):
        return f"{DEMO}reference"
    return min(GPT2_FAMILY, key=lambda reference: abs(math.log(reference.n_params / max(n_params, 1)))).name
