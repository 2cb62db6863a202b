"""The tables: one for each channel, with its lock; steps, undo, moving, its pictures."""
