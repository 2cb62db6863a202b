"""The bot."""

VERSION = "1.1.0.dev0"
