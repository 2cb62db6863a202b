"""What people can look up: how to begin, what each system offers, what its rules say, what the bot may do here."""
