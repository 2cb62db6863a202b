"""Copies of a database file in its place: which log belongs to which file, and how a copy is restored."""
