"""How people and other bots write dice, and how that is brought into the grammar."""
