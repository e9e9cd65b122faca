"""Has this language model seen this benchmark's questions in training?

>>> import contamcheck
>>> contamcheck.audit("demo:clean", "demo", tests=["min-k"]).verdict
'none'
"""

from importlib.metadata import version as _version

from contamcheck.audit import audit
from contamcheck.errors import ContamcheckError
from contamcheck.results import Report

__all__ = ["ContamcheckError", "Report", "__version__", "audit"]

__version__ = _version("contamcheck")
