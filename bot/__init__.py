"""The bot."""

VERSION = "0.1.0"
