"""What several test files share: a small benchmark, and no network."""

import json
import os
from pathlib import Path

import pytest
from samples import QUESTIONS

# Before any library reads it: a test that would download fails at once.
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture
def benchmark_file(tmp_path: Path) -> Path:
    """Sixty questions with numbers, as JSON lines."""
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps({"question": question}) + "\n" for question in QUESTIONS), encoding="utf-8")
    return path


@pytest.fixture
def leak_file(tmp_path: Path) -> Path:
    """Half of them, one a line, for the fake runner to memorise."""
    path = tmp_path / "leaked.txt"
    path.write_text("\n".join(QUESTIONS[::2]), encoding="utf-8")
    return path
