"""A copy takes the place of the database."""
