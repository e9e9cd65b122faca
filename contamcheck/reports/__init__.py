"""Reports: a `contamcheck.Report` for people (terminal) and for programs (JSON)."""
