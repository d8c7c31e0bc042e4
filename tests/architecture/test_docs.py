"""What the documents name exists, and what exists is named."""

from __future__ import annotations

import ast
import re
import subprocess
from importlib.metadata import metadata

import pytest
from django.core.management import get_commands

from tests.architecture.sources import ROOMS, ROOT, product_files, tree_of

OF_OTHERS = {"DJANGO_SETTINGS_MODULE", "PATH", "LANG", "LC_ALL"}
"""Variables of the system and of Django, not settings of ours."""
MACHINE_PATHS = re.compile(
    r"/(?:home|Users)/[a-z][\w-]*/|/root/|\.pyenv|/work/(?:wt|main|shared)|/tmp/(?:land|issue|brief)"
)


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("this copy is no git repository, so there are no tracked files to look at")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def documents() -> dict[str, str]:
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in tracked() if name.endswith(".md")}


def variables_read() -> set[str]:
    """Names of environment variables that product code reads."""
    found: set[str] = set()
    for path in product_files():
        for node in ast.walk(tree_of(path)):
            named: ast.expr | None = None
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"os.environ.get", "os.getenv"}:
                named = node.args[0]
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
                named = node.slice
            if isinstance(named, ast.Constant) and isinstance(named.value, str):
                found.add(named.value)
    return found - OF_OTHERS


def test_every_setting_is_documented_and_every_documented_one_is_read() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE)) == variables_read()


def test_every_command_that_a_document_names_exists() -> None:
    own = {name for name, app in get_commands().items() if app.split(".")[0] in ROOMS}
    django = set(get_commands()) - own
    named = {n for text in documents().values() for n in re.findall(r"manage\.py ([a-z_]+)", text)}
    assert named - own - django == set()


def test_the_page_of_commands_names_each_of_ours_and_no_other() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([a-z_]+)", page, re.MULTILINE))
    assert told == {name for name, app in get_commands().items() if app.split(".")[0] in ROOMS}


def test_every_dependency_has_its_reason_and_its_licence() -> None:
    page = (ROOT / "docs" / "adr" / "0004-dependencies.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", page, re.MULTILINE))
    lines = [
        line.strip()
        for name in ("base", "dev")
        for line in (ROOT / "requirements" / f"{name}.in").read_text(encoding="utf-8").splitlines()
    ]
    wanted = {m.group() for line in lines if (m := re.match(r"[A-Za-z][\w-]*(?:\[[^\]]*\])?", line))}
    assert set(told) == wanted
    for package, licence in told.items():
        assert licence.strip().split("-")[0].split(" ")[0] in licence_of(package.split("[")[0])


def licence_of(package: str) -> str:
    """All that an installed package says about its licence."""
    found = metadata(package)
    classifiers = [c for c in found.get_all("Classifier") or [] if c.startswith("License")]
    said = " ".join((found.get("License-Expression") or "", found.get("License") or "", *classifiers))
    return said.replace("Apache Software License", "Apache-2.0 Apache")


def test_decision_records_are_numbered_without_gaps_and_links_lead_somewhere() -> None:
    records = sorted(p.name for p in (ROOT / "docs" / "adr").glob("*.md"))
    assert [name[:4] for name in records] == [f"{i:04}" for i in range(1, len(records) + 1)]
    broken = [
        f"{name}: {target}"
        for name, text in documents().items()
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text)
        if not (ROOT / name).parent.joinpath(target).exists() and not name.startswith(("fixtures/", "tests/"))
    ]
    assert broken == []


def test_the_notice_names_every_part_that_others_made() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    vendored = {m.group(1) for name in tracked() if (m := re.match(r"(.*/vendor/[^/]+)/", name))}
    parts = vendored | {name for name in tracked() if name.endswith(".gz")}
    named = set(re.findall(r"^\d+\. (\S+?)/?$", notice, re.MULTILINE))
    assert named == parts


def test_no_tracked_file_names_a_path_of_some_machine() -> None:
    found = []
    for name in tracked():
        data = (ROOT / name).read_bytes()
        text = "" if b"\0" in data[:4096] else data.decode("utf-8", "replace")
        if name != "tests/architecture/test_docs.py" and (match := MACHINE_PATHS.search(text)):
            found.append(f"{name}: {match.group()}")
    assert found == []
