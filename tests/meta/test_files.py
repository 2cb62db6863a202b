"""What holds in every file of the project."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from itertools import pairwise

import pytest

from tests.meta.sources import AREAS, ROOT, place, project_files, python_files, text_of

# Put together here, so that this file does not name them itself.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("yarnpkg", "com"),
        ("crates", "io"), ("rubygems", "org"), ("deb", "debian", "org"), ("archive", "ubuntu", "com"),
    )
)  # fmt: skip
CODE = {".py", ".js", ".mjs", ".css", ".html"}
MOST_LINES = 500
MOST_FILES = 25
MACHINE_PATHS = tuple("/" + "/".join(parts) + "/" for parts in (("work",), ("farm",), ("tmp", "wt"), ("root",)))
MACHINE_PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, MACHINE_PATHS))})")
SUPPRESSION = re.compile(r"#\s*(?:type:\s*ignore(?:\[[^\]]*\])?|noqa(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)?)")


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    """Return the places of a pattern in the project."""
    return [
        place(path, text.count("\n", 0, found.start()) + 1)
        for path in project_files()
        if (text := text_of(path))
        for found in pattern.finditer(text)
    ]


def test_no_file_needs_scrolling_for_minutes() -> None:
    code = [path for path in project_files() if path.suffix in CODE]
    long = {place(path): lines for path in code if (lines := len((text_of(path) or "").splitlines())) > MOST_LINES}
    assert long == {}


def test_no_folder_holds_more_files_than_one_reads_at_a_glance() -> None:
    folders = Counter(path.parent for path in project_files() if path.suffix in CODE)
    assert {place(folder): files for folder, files in folders.items() if files > MOST_FILES} == {}


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(re.compile("|".join(map(re.escape, REGISTRY_HOSTS)))) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert lines_with(MACHINE_PATH) == []


def reason_of(line: str, above: str = "") -> str:
    """Return the words beside a suppression, or in the comment above it."""
    last = list(SUPPRESSION.finditer(line))[-1]
    beside = line[last.end() :].strip(" -#")
    if beside == "as above":  # lines move
        return ""
    return beside or (above.strip().lstrip("# ") if above.strip().startswith("#") else "")


def test_every_suppressed_warning_has_its_reason_beside_it() -> None:
    bare = []
    for path in python_files(*AREAS):
        lines = ["", *path.read_text("utf-8").splitlines()]
        for number, (above, line) in enumerate(pairwise(lines), 1):
            if SUPPRESSION.search(line) and not reason_of(line, above):
                bare.append(place(path, number))
    assert bare == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x = 1  # noqa" + ": S101", ""),
        ("x = 1  # noqa" + ": S101 - it is small", "it is small"),
        ("x = 1  # noqa" + ": S101 - as above", ""),
        ("x = 1  # type" + ": ignore[misc]", ""),
        ("x = 1  # type" + ": ignore[misc] # the other kind", "the other kind"),
        ("x = 1  # type" + ": ignore[misc] # noqa" + ": S101", ""),
    ],
)
def test_a_code_alone_is_no_reason(line: str, reason: str) -> None:
    assert reason_of(line) == reason


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_and_says_why_it_is_here(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    wanted = [line for line in lines if line.strip() and not line.startswith(("#", "-r "))]
    assert wanted
    assert [line for line in wanted if not re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.]+( ; .+)?\s+# \S.*", line)] == []


def test_the_version_is_the_newest_of_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == project["version"]
    assert len(set(versions)) == len(versions)


def test_the_changelog_s_lines_are_short_enough_to_be_read() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > 130] == []


def test_every_lint_rule_that_is_left_out_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    ignored = text.split("\nignore = [\n")[1].split("\n]")[0].splitlines()
    assert ignored
    assert [line for line in ignored if not re.search(r'",\s+# \S', line)] == []


def test_the_settings_example_names_every_setting_and_no_other() -> None:
    from bot.settings import Settings

    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE))
    assert named == {field.alias for field in Settings.model_fields.values()}


def test_the_page_of_settings_names_every_setting() -> None:
    from bot.settings import Settings

    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert [field.alias for field in Settings.model_fields.values() if f"`{field.alias}`" not in text] == []


def test_links_between_the_project_s_pages_lead_somewhere() -> None:
    broken = []
    for path in project_files():
        if path.suffix != ".md":
            continue
        targets = re.findall(r"\]\(([^)#\s]+)", text_of(path) or "")
        broken += [
            f"{place(path)} → {target}"
            for target in targets
            if "://" not in target and not (path.parent / target).exists()
        ]
    assert broken == []
