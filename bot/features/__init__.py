"""What there is beside the rules of an encounter: rolls, odds, luck, the log, exports, characters, help."""
