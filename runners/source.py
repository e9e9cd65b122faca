"""Where a model's files are: a folder, a Hub repository at a revision, or an embedded demo model."""

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

from huggingface_hub import errors as hub
from huggingface_hub import hf_hub_download

from contamcheck.errors import RunnerError, UsageError, in_short

DEMO = "demo:"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model's name, taken apart.

    Parameters
    ----------
    name : str
        As the user wrote it.
    location : str
        Folder, or Hub repository.
    revision : str or None
        Branch, tag or commit of the repository.

    Examples
    --------
    >>> ModelSource.parse("EleutherAI/pythia-70m@step1000").revision
    'step1000'
    """

    name: str
    location: str
    revision: str | None = None

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read ``FOLDER``, ``REPOSITORY``, ``REPOSITORY@REVISION`` or ``demo:NAME``.

        Parameters
        ----------
        name : str
            The model as the user wrote it; an existing path is taken as that path, save for ``demo:`` names.

        Returns
        -------
        ModelSource
            Its parts.

        Raises
        ------
        UsageError
            When there is no demo model of that name, or the name can be neither a folder nor a repository.
        """
        if name.startswith(DEMO):
            demo = Path(str(files("contamcheck.benchmarks_data"))) / "demo"
            known = {f"{DEMO}{model.parent.name}": str(model.parent) for model in demo.glob("*/model.onnx")}
            if name not in known:
                raise UsageError(f"there is no embedded model {name}; there are {', '.join(sorted(known))}")
            return cls(name, known[name])
        if os.path.isdir(name):
            return cls(name, name)
        if os.path.exists(name):
            raise UsageError(f"{name} is a file; pass the folder that holds the model, or its name on the Hub")
        location, _, revision = name.partition("@")
        if not location or location.startswith((".", "/", "~")) or location.endswith("/") or location.count("/") > 1:
            raise UsageError(f"there is no folder {name}; pass a folder that holds a model, or a name on the Hub")
        return cls(name, location, revision or None)

    @property
    def folder(self) -> Path | None:
        """The local folder; None for a Hub repository."""
        return Path(self.location) if os.path.isdir(self.location) else None

    def check_reach(self) -> None:
        """Make sure that the model can be fetched, before hours are spent that need it.

        Raises
        ------
        RunnerError
            When it is neither a local folder nor reachable on the Hub.
        """
        if self.folder is None:
            try:
                hf_hub_download(self.location, "config.json", revision=self.revision)
            except Exception as error:  # the Hub's client lets errors of several libraries through
                raise loading_error(self.name, error) from error

    @property
    def key(self) -> tuple[str, str | None]:
        """Equal for two names of one model."""
        return (os.path.realpath(self.location) if self.folder else self.location, self.revision)


def loading_error(name: str, error: Exception) -> RunnerError:
    """One sentence on why a model couldn't be loaded.

    Parameters
    ----------
    name : str
        The model as the user wrote it.
    error : Exception
        What the library raised; the errors behind it tell more.

    Returns
    -------
    RunnerError
        To be raised from `error`.
    """
    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    reasons: list[tuple[tuple[type[BaseException], ...], str]] = [
        (
            (hub.GatedRepoError,),
            "its licence must be accepted on the Hub first, then log in with `hf auth login`",
        ),
        ((hub.RevisionNotFoundError,), "the repository has no such revision; check what stands behind the @"),
        (
            (hub.RepositoryNotFoundError, hub.HFValidationError),
            "there is no such folder here and no such public repository on the Hub; check the name, or log in with "
            "`hf auth login` if it is private",
        ),
        (
            (hub.OfflineModeIsEnabled, hub.LocalEntryNotFoundError, ConnectionError),
            "there is no such folder here, it isn't in the local cache, and the Hub can't be reached; check the name "
            "and the connection, or pass a local folder",
        ),
    ]
    for kinds, reason in reasons:
        if any(isinstance(cause, kinds) for cause in causes):
            return RunnerError(f"can't load {name}: {reason}")
    if any("trust_remote_code" in str(cause) for cause in causes):
        return RunnerError(
            f"can't load {name}: it brings Python code of its own; read it, then pass --trust-remote-code"
        )
    return RunnerError(f"can't load {name}: {in_short(error)}")
