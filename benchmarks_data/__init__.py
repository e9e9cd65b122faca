"""The cards of the built-in benchmarks, one TOML file each, and what the demo needs."""
