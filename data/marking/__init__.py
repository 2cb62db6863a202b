"""Which write-ahead log belongs to which file."""
