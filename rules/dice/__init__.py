"""Dice that can be checked: the source of faces, the expression language, the odds, the verification."""
