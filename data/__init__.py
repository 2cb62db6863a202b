"""The store: what outlasts the process."""

from data.store import Store

__all__ = ["Store"]
