"""Every exception contamcheck raises on purpose; each message is one sentence that says what to do.

ContamcheckError              anything that stopped the check
├── UsageError                an argument that can't be taken
├── BenchmarkError            questions that can't be read, or are too few
└── RunnerError               a model that can't be loaded, scored or trusted
    ├── MissingExtraError     the runner's library isn't installed
    └── TextTooLongError      texts that don't fit into the model's context
"""

import textwrap
from collections.abc import Mapping


class ContamcheckError(Exception):
    """Anything that stopped the check."""


class UsageError(ContamcheckError):
    """An argument that can't be taken."""


class BenchmarkError(ContamcheckError):
    """Questions that can't be read, or are too few."""


class RunnerError(ContamcheckError):
    """A model that can't be loaded, scored or trusted."""


class MissingExtraError(RunnerError):
    """The runner's library isn't installed."""


class TextTooLongError(RunnerError):
    """Texts that don't fit into the model's context.

    Parameters
    ----------
    lengths : mapping of int to int
        Index of each such text in the call, and how many tokens it needs.
    limit : int
        How many tokens the model takes.
    """

    def __init__(self, lengths: Mapping[int, int], limit: int) -> None:
        self.lengths = dict(lengths)
        self.limit = limit
        which = ", ".join(f"{index} ({length} tokens)" for index, length in self.lengths.items())
        super().__init__(f"the model takes at most {limit} tokens; too long: text {which}")


def in_short(error: BaseException) -> str:
    r"""A library's error in one line of bearable length.

    Examples
    --------
    >>> in_short(ValueError("bad shape:\n  (3, 4)"))
    'ValueError: bad shape: (3, 4)'
    """
    return f"{type(error).__name__}: {textwrap.shorten(str(error), 300, placeholder=' ...')}"
