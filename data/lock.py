"""The operating system's lock beside the database: it ends with its process, however that ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from rules.errors import StoreFailure

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_FAR = 4096  # Windows locks bytes and then refuses to read them; the process number comes before this one


class FileLock:
    """Held from `take` to `release`, or to the end of the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, database: Path) -> FileLock:
        """Lock a database for this process. Raises: StoreFailure if another one has it."""
        path = database.with_name(database.name + ".lock")
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise StoreFailure(f"The lock file {path} cannot be opened: {error.strerror}.") from error
        try:
            _take(descriptor)
        except OSError as error:
            holder = _holder(descriptor)
            os.close(descriptor)
            raise StoreFailure(
                f"The database {database} is in use by another process{holder}. "
                "Stop that one first, or set DATABASE_PATH to another file."
            ) from error
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, str(os.getpid()).encode())
        return cls(descriptor)

    def release(self) -> None:
        """Give the lock up. The file stays: removing it would let two processes lock two files of one name."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _holder(descriptor: int) -> str:
    with contextlib.suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_SET)
        number = os.read(descriptor, 20).decode("ascii", "replace").strip()
        if number.isdecimal():
            return f" (number {number})"
    return ""
