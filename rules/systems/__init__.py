"""The rule systems. Each folder here is one; no other file names it."""
