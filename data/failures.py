"""What both engines say when the database fails, each in one sentence."""

from __future__ import annotations

from rules.errors import StoreFailure


def closed() -> StoreFailure:
    return StoreFailure("The database is closed.")


def stopped() -> StoreFailure:
    return StoreFailure("The program stopped before the database had answered.")


def no_database(place: object) -> StoreFailure:
    return StoreFailure(f"There is no database at {place}.")


def not_copied(why: object) -> StoreFailure:
    return StoreFailure(f"The database could not be copied: {why}.")


def not_migrated(name: str, why: object) -> StoreFailure:
    return StoreFailure(f"The migration {name} failed and was taken back: {why}.")


def itself(file: object) -> StoreFailure:
    return StoreFailure(f"{file} is the database itself. Name another file.")


def a_folder(file: object) -> StoreFailure:
    return StoreFailure(f"{file} is a folder. Name a file in it.")


def not_written(file: object, error: OSError) -> StoreFailure:
    return StoreFailure(f"{file} cannot be written: {error.strerror}.")
