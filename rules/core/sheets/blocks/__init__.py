"""Stat blocks as they are pasted: D&D 5e in both wordings, Pathfinder 2, old games, plain attack lines."""
