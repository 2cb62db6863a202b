"""Requests to Discord: within its limits and the bot's permissions."""
