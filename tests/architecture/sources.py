"""The product's own Python files, for architecture tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("catalog", "contextcards", "dataagent", "evals", "frontend")


@cache
def product_files() -> tuple[Path, ...]:
    """All product Python files except migrations, sorted, relative to the root."""
    found = [p for room in (*ROOMS, "fixtures") for p in (ROOT / room).rglob("*.py")]
    return tuple(sorted(p.relative_to(ROOT) for p in found if "migrations" not in p.parts))


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imported_modules(tree: ast.Module) -> set[str]:
    """Dotted names of all modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names
