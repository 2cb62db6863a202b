"""Reactions: triggers, who could answer an event, the windows that ask them, and what they answer."""
