"""The rule systems. Each folder here is one; nothing elsewhere names it."""
