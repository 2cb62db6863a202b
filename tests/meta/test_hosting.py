"""What a host copies from `docs/hosting` and builds from the Dockerfile."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from bot import VERSION
from bot.requests.access import NEEDED, invitation
from tests.meta.sources import ROOT

HOSTING = ROOT / "docs" / "hosting"


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert (project["version"], newest[1]) == (VERSION, VERSION)


def unit(name: str = "referee.service") -> str:
    return (HOSTING / name).read_text("utf-8")


def test_the_service_outlasts_a_start_without_network_and_stops_for_what_a_person_must_change() -> None:
    lines = unit().splitlines()
    for line in (
        "After=network-online.target",
        "StartLimitIntervalSec=0",
        "Restart=always",
        "RestartPreventExitStatus=2",
    ):
        assert line in lines
    assert any(line.startswith("RestartSec=") for line in lines)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_service(tmp_path: Path) -> None:
    program = shutil.which("true")
    service = tmp_path / "referee-test.service"
    written = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={program}", unit())
    service.write_text(re.sub(r"(?m)^User=.*", "User=root", written), "utf-8")
    told = subprocess.run(["systemd-analyze", "verify", str(service)], capture_output=True, text=True, check=False)
    assert [line for line in told.stderr.splitlines() if "referee-test" in line] == []


SCALE = (ROOT / "docs" / "scale.md").read_text("utf-8")
TEMPLATE = "referee@.service"


def test_the_service_of_several_processes_is_the_other_with_a_name_for_each() -> None:
    template = unit(TEMPLATE).splitlines()
    for line in unit().splitlines():
        if line and not line.startswith(("#", "Description=", "After=", "WorkingDirectory=")):
            assert line in template, line
    assert "Environment=PROCESS_NAME=%i" in template


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_service_of_several_processes(tmp_path: Path) -> None:
    service = tmp_path / "referee@.service"
    text = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={shutil.which('true')}", unit(TEMPLATE))
    service.write_text(re.sub(r"(?m)^User=.*", "User=root", text), "utf-8")
    command = ["systemd-analyze", "verify", str(tmp_path / "referee@one.service")]
    (tmp_path / "referee@one.service").symlink_to(service)
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in told.stderr.splitlines() if "referee@" in line] == []


def test_compose_is_read_and_each_name_in_it_is_there() -> None:
    found = yaml.safe_load("services:" + SCALE.split("```\nservices:")[1].split("```")[0])
    postgres, referee = found["services"]["postgres"], found["services"]["referee"]
    own = postgres["environment"]
    user, password, name = (own[f"POSTGRES_{each}"] for each in ("USER", "PASSWORD", "DB"))
    assert referee["environment"] == {
        "DATABASE_PATH": "",
        "DATABASE_URL": f"postgresql://{user}:{password}@postgres/{name}",
    }
    assert postgres["healthcheck"]["test"] == ["CMD", "pg_isready", "-U", user]
    assert referee["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert referee["deploy"]["replicas"] == 2
    assert (referee["build"], referee["env_file"], referee["restart"]) == (".", ".env", "unless-stopped")
    assert [volume.split(":")[0] for volume in postgres["volumes"]] == list(found["volumes"])


def test_the_compose_file_keeps_the_database_in_a_volume_that_it_names() -> None:
    found = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    referee = found["services"]["referee"]
    assert [volume.split(":")[0] for volume in referee["volumes"]] == list(found["volumes"])
    assert referee["env_file"] == ".env"


def test_the_workflow_proves_on_pythons_that_the_package_names() -> None:
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))["jobs"]["prove"]
    assert "bash .ci/run" in [step.get("run") for step in job["steps"]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    assert set(job["strategy"]["matrix"]["python"]) <= named


def kept_out(path: str) -> bool:
    """Tell whether `.dockerignore` keeps a file out of the image: the last line that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        parts = re.split(r"(\*\*/|\*)", line.removeprefix("!"))
        pattern = "".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
        if re.match(f"{pattern}(?:/|$)", path):
            out = not line.startswith("!")
    return out


def test_the_image_holds_every_file_of_the_program() -> None:
    files = [
        path.relative_to(ROOT).as_posix()
        for area in ("rules", "data", "bot", "cogs")
        for path in (ROOT / area).rglob("*")
        if path.suffix in {".py", ".toml", ".sql", ".html", ".css", ".js", ".svg", ".ttf"}
    ]
    assert len(files) > 300
    assert [path for path in files if kept_out(path)] == []


@pytest.mark.parametrize(
    "path",
    ["data/referee.sqlite3", "data/referee.sqlite3-wal", "data/referee.sqlite3.bak", "data/copy.bak", "data/copy",
     "data/copies/referee-2026-01-01.sqlite3", "data/evening.db", "data/export.json", ".env", "bot/.env",
     "bot/__pycache__/clock.cpython-311.pyc", "tests/conftest.py", "README.md"],
)  # fmt: skip
def test_no_database_and_no_copy_of_one_gets_into_the_image(path: str) -> None:
    assert kept_out(path)


def test_the_guide_asks_for_the_permissions_that_the_invitation_asks_for() -> None:
    guide = (ROOT / "docs" / "discord.md").read_text("utf-8")
    assert f"permissions={NEEDED.value}" in guide
    assert invitation("1").endswith(f"permissions={NEEDED.value}")
    assert NEEDED.value == 0x400 | 0x800 | 0x4000 | 0x8000 | 0x10000 | 1 << 38, "no more than everyday ones"
