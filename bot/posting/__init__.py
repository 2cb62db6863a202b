"""What goes to channels beside the answers: the live prompt, the outbox, nudges."""
