"""Twins: a question's text with details swapped for equally natural ones; one family a file."""
