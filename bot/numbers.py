"""Numbers for the host: what runs, how fast, what was refused, in Prometheus' text format.

They lie in a file beside the database as long as the gateway is there, `python -m bot status` reads them to a person,
and with METRICS_PORT a page on this machine has them too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from bot import VERSION
from bot.discord.responses import Responses
from bot.requests.pace import Requests
from bot.requests.places import Places
from bot.table.room import Room
from bot.table.service import Tables
from data.rows import Load

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

THIS_MACHINE = "127.0.0.1"
LOOK_SECONDS = 1.0
OVERDUE_SECONDS = 60.0  # later than planned, a nudge is overdue
_WORDS = {
    "referee_shards": "shards connected",
    "referee_servers": "servers",
    "referee_tables": "tables",
    "referee_steps_total": "steps since the start",
    "referee_requests_refused_total": "requests refused",
    "referee_answers_late_total": "answers that came too late for Discord",
    "referee_answers_deferred_total": "answers that took longer than 1.5 s",
    "referee_loop_lag_seconds": "longest stall of the loop, seconds",
    "referee_waits_overdue": "overdue waits",
    "process_resident_memory_bytes": "memory, bytes",
}


class Numbers(Collector):
    """Counts as it goes, and is asked from another thread: it hands out what it has, and waits for nothing."""

    def __init__(
        self,
        tables: Tables,
        requests: Requests,
        places: Places,
        responses: Responses,
        shards: Callable[[], Mapping[int, bool]],
    ) -> None:
        self.tables = tables
        self.requests = requests
        self.places = places
        self.responses = responses
        self.shards = shards
        self.steps = 0
        self.load = Load()
        tables.after_commit.append(self._count_step)
        self.lag_seconds = 0.0  # the longest of the last minute
        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    def collect(self) -> Iterable[Metric]:
        shards = GaugeMetricFamily("referee_shards", "Shards by whether their gateway answers.", labels=("state",))
        served = self.shards()
        connected = sum(served.values())
        shards.add_metric(("connected",), connected)
        shards.add_metric(("away",), len(served) - connected)
        each = GaugeMetricFamily("referee_shard", "1 while its gateway answers, otherwise 0.", labels=("shard",))
        for number, is_connected in sorted(served.items()):
            each.add_metric((str(number),), int(is_connected))
        version = GaugeMetricFamily("referee_version", "Always 1: which version runs.", labels=("version",))
        version.add_metric((VERSION,), 1)
        tables = GaugeMetricFamily("referee_tables", "Encounters that are open.", labels=("state",))
        tables.add_metric(("running",), self.load.running)
        tables.add_metric(("gathering",), self.load.gathering)
        tables.add_metric(("paused",), self.load.paused)
        refused = CounterMetricFamily(
            "referee_requests_refused", "Requests that the server refused.", labels=("status",)
        )
        for status, count in sorted(self.requests.refused.items()):
            refused.add_metric((str(status),), count)
        yield version
        yield shards
        yield each
        yield GaugeMetricFamily("referee_servers", "Servers that the referee is in.", len(self.places.servers()))
        yield tables
        yield CounterMetricFamily("referee_steps", "Rows of the log that were written.", self.steps)
        yield refused
        yield CounterMetricFamily(
            "referee_answers_late", "Answers that came too late for Discord.", self.responses.late
        )
        deferred = self.responses.deferred
        yield CounterMetricFamily("referee_answers_deferred", "Answers that took longer than 1.5 s.", deferred)
        yield GaugeMetricFamily("referee_loop_lag_seconds", "The longest stall in a minute.", self.lag_seconds)
        yield GaugeMetricFamily("referee_waits_overdue", "Nudges that should have gone out.", self.load.overdue)

    def _count_step(self, _room: Room) -> None:
        self.steps += 1

    async def look(self) -> None:
        """Count what the store holds. Raises: StoreFailure."""
        self.load = await self.tables.store.load(self.tables.clock() - OVERDUE_SECONDS)

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        return generate_latest(self.registry)

    def serve(self, port: int, host: str | None = None) -> WSGIServer:
        """Serve them to this machine alone; with a host, to anybody who can reach that address. Raises: OSError."""
        server, _ = start_http_server(port, addr=host or THIS_MACHINE, registry=self.registry)
        application = server.get_app()
        if host is None and application is not None:
            server.set_app(_by_own_names(application, {f"{name}:{port}" for name in (THIS_MACHINE, "localhost")}))
        return server

    async def watch_loop(self) -> None:
        """Measure how late the loop comes back, for as long as it runs."""
        worst: list[float] = []
        while True:
            asleep = time.monotonic()
            await asyncio.sleep(LOOK_SECONDS)
            worst.append(max(0.0, time.monotonic() - asleep - LOOK_SECONDS))
            del worst[:-60]
            self.lag_seconds = max(worst)


def _by_own_names(application: WSGIApplication, names: Collection[str]) -> WSGIApplication:
    """Refuse who came by another name: a page of the web may have made a name of its own point to this machine."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("HTTP_HOST") in names:
            return application(environ, start_response)
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"These numbers are for this machine. METRICS_HOST serves them to others.\n"]

    return answer


def words_of(text: str) -> Iterator[str]:
    """Say the numbers that a host asks for, a line each."""
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name not in _WORDS:
                continue
            of = "".join(f" ({value})" for value in sample.labels.values())
            value = f"{sample.value:.3f}" if sample.name.endswith("_seconds") else f"{sample.value:.0f}"
            yield f"{_WORDS[sample.name]}{of}: {value}"


def values_of(text: str) -> dict[str, Any]:
    """Return the same numbers by name for a program: a number, or numbers by what they are of."""
    values: dict[str, Any] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name not in _WORDS:
                continue
            if sample.labels:
                values.setdefault(sample.name, {})[next(iter(sample.labels.values()))] = sample.value
            else:
                values[sample.name] = sample.value
    return values


def served_shards(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the version that wrote the numbers, and the shards that it serves."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    version = next((each.labels["version"] for each in samples if each.name == "referee_version"), "")
    return version, tuple(int(each.labels["shard"]) for each in samples if each.name == "referee_shard")
