"""The package as it is built: complete, light to import, and with its layers in order."""

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import contamcheck

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = {"torch", "transformers", "vllm", "onnxruntime", "ray", "datasets", "pyarrow", "pandas"}


def test_every_package_is_listed() -> None:
    folders = {path.parent for path in (ROOT / "contamcheck").rglob("*.py")}
    folders |= {ROOT / "contamcheck" / "runners", ROOT / "contamcheck" / "benchmarks_data"}
    names = {".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert set(SETTINGS["tool"]["setuptools"]["packages"]) == names


def test_links_agree_with_the_package_map() -> None:
    for package, folder in SETTINGS["tool"]["setuptools"]["package-dir"].items():
        assert (ROOT / Path(*package.split("."))).resolve() == (ROOT / folder).resolve()


@pytest.mark.parametrize("module", ["contamcheck", "contamcheck.cli"])
def test_import_is_light(module: str) -> None:
    code = f"import sys, {module}; print(' '.join(sorted(name.partition('.')[0] for name in sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)


def test_public_names() -> None:
    public = {
        name for name, value in vars(contamcheck).items() if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public | {"__version__"} == set(contamcheck.__all__)


def test_demo_is_small() -> None:
    weights = sum(path.stat().st_size for path in (ROOT / "benchmarks_data" / "demo").rglob("*.onnx*"))
    assert 0 < weights <= 12 * 2**20
