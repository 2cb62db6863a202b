from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def held_back() -> Iterator[None]:
    """Print at the end: if nobody reads any more (`| head`), the work is done, and its exit code stays."""
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            yield
    finally:
        try:
            sys.stdout.write(printed.getvalue())
            sys.stdout.flush()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())  # the interpreter writes out again as it ends
            os.close(nowhere)
