"""The examples in docstrings, run as users would run them."""

import doctest
import importlib
import pkgutil

import pytest

import contamcheck

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(contamcheck.__path__, "contamcheck.")
    if name not in ("contamcheck.__main__", "contamcheck.runners.hf")  # the one runs, the other needs torch
]


@pytest.mark.parametrize("name", ["contamcheck", *MODULES])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
