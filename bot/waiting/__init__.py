"""Who a table waits for, and until when in their waking time."""
