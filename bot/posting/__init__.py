"""What goes to channels beside the answers: the live prompt, the outbox, and what a crash left unsaid."""
