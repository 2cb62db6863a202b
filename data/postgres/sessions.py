"""A process asks for all its connections before it opens its database, and holds them from then on.

Too few would be found out under load alone, when steps wait for what never comes.
"""

from __future__ import annotations

from contextlib import ExitStack, closing

import psycopg
from pydantic import SecretStr

from data.connection import Engine
from data.postgres.engine import READERS, WRITERS, Postgres, place_of
from data.postgres.link import connect
from rules.errors import StoreFailure

CONNECTIONS = WRITERS + READERS + 2  # one listens, one holds a lock


async def hold_all(engine: Engine) -> None:
    """Have all connections of a database from now on. Raises: StoreFailure."""
    if isinstance(engine, Postgres):
        await engine.connect_all()


def require_sessions(url: SecretStr) -> None:
    """Have as many sessions at once as a process holds, and let them go. Raises: StoreFailure if it cannot.

    If not even one is given, opening the store says why.
    """
    servers: set[int] = set()
    with ExitStack() as sessions:
        for _ in range(CONNECTIONS):
            try:
                session = sessions.enter_context(closing(connect(url)))
                row = session.execute("SELECT pg_backend_pid()").fetchone()
            except psycopg.Error:
                if not servers:
                    return
                raise StoreFailure(
                    f"PostgreSQL at {place_of(url)} gives {len(servers)} connections, and a process holds"
                    f" {CONNECTIONS}. Raise its max_connections, the user's limit, or the size of the pooler's pool."
                ) from None
            server = 0 if row is None else int(row[0])
            if server in servers:  # a pooler gave it away at the end of a transaction
                raise StoreFailure(
                    f"The pooler at {place_of(url)} gives a session to more than one. Set it to session mode."
                )
            servers.add(server)
