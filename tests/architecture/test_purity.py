"""Files that decide touch no framework, no engine, no clock and no network."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imported_modules, product_files, tree_of

IMPURE_NAMES = {
    "models",
    "store",
    "service",
    "tasks",
    "admin",
    "apps",
    "urls",
    "settings",
    "asgi",
    "celery",
    "middleware",
}
IMPURE_FOLDERS = {
    "views",
    "api",
    "mcp",
    "migrations",
    "management",
    "warehouse",
    "llm",
    "templatetags",
    "service",
    "store",
    "embedded",
}
EXCEPTIONS = {
    "catalog/workspace.py": "the scoped manager that every room's tables share",
}
FRAMEWORKS = {
    "django",
    "rest_framework",
    "celery",
    "duckdb",
    "psycopg",
    "sqlalchemy",
    "httpx",
    "requests",
    "socket",
    "urllib.request",
}
CLOCKS = {"now", "today", "utcnow"}


def pure_files() -> list[Path]:
    return [
        p
        for p in product_files()
        if p.parts[0] != "fixtures"
        and p.stem not in IMPURE_NAMES
        and not IMPURE_FOLDERS & set(p.parts[:-1])
        and str(p) not in EXCEPTIONS
    ]


def _forbidden(name: str) -> bool:
    root = name.split(".", maxsplit=1)[0]
    room_of_tables = name.startswith(("catalog.", "contextcards.", "dataagent.", "evals.", "frontend."))
    return (
        root in FRAMEWORKS
        or name in FRAMEWORKS
        or (room_of_tables and bool({"models", "store", "service"} & set(name.split("."))))
    )


@pytest.mark.parametrize("path", pure_files(), ids=str)
def test_a_deciding_file_imports_nothing_impure(path: Path) -> None:
    assert [n for n in sorted(imported_modules(tree_of(path))) if _forbidden(n)] == []


@pytest.mark.parametrize("path", pure_files(), ids=str)
def test_a_deciding_file_never_reads_the_clock(path: Path) -> None:
    calls = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CLOCKS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"datetime", "date"}
    ]
    assert calls == []


def test_every_exception_is_still_needed() -> None:
    stale = [name for name in EXCEPTIONS if not any(_forbidden(n) for n in imported_modules(tree_of(Path(name))))]
    assert stale == []


def test_every_deciding_file_stands_in_the_contract_of_pure_code() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    listed = next(c for c in contracts if c["name"] == "Deciding code is pure")["source_modules"]
    modules = {".".join(p.with_suffix("").parts) for p in pure_files() if p.stem != "__init__"}
    absent = [m for m in sorted(modules) if not any(f"{m}.".startswith(f"{name}.") for name in listed)]
    assert absent == [], "add these to the contract's source_modules in pyproject.toml"
    assert [name for name in listed if not any(f"{m}.".startswith(f"{name}.") for m in modules)] == []
