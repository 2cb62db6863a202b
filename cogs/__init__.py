"""Discord's commands: parameters in, command out, reply sent. No rules and no SQL in here.

Modules whose name begins with an underscore are shared by the features; each other one is a feature.
"""
