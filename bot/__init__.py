"""The bot."""

VERSION = "1.0.0"
