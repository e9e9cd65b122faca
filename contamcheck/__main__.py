"""Run as ``python -m contamcheck``."""

from contamcheck.cli import main

main()
