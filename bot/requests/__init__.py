"""Requests to Discord: within its limits, where the bot may, and no more where it may not."""
