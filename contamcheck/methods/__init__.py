"""The tests, one a file; `METHODS` names them in the order in which they run and are shown."""

from collections.abc import Mapping

from contamcheck.methods.base import Method
from contamcheck.methods.completion import Completion
from contamcheck.methods.likelihood import Likelihood
from contamcheck.methods.min_k import MinK

METHODS: Mapping[str, Method] = {method.name: method for method in (Likelihood(), Completion(), MinK())}
