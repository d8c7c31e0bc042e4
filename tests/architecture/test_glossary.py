"""The glossary speaks of the code: its terms name things in it, its other words name nothing."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from functools import cache

import pytest

from tests.architecture.sources import ROOT, product_files, tree_of


@dataclass(frozen=True, slots=True)
class Term:
    word: str
    names: tuple[str, ...]
    avoid: tuple[str, ...]


def terms() -> list[Term]:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "GLOSSARY.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| **")
    ]
    return [
        Term(
            word.strip("*"),
            tuple(re.findall(r"`([^`]+)`", names)),
            tuple(w.strip() for w in avoid.split(",") if w.strip()),
        )
        for word, _meaning, names, avoid in rows
    ]


@cache
def words_of_code() -> dict[str, str]:
    """Every word in a name of the code, with one place where it stands."""
    found: dict[str, str] = {}
    for path in product_files():
        for node in ast.walk(tree_of(path)):
            for name in _names(node):
                for word in re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"):
                    found.setdefault(word, f"{path}: {name}")
        for word in re.split(r"[/._]", str(path)):
            found.setdefault(word, str(path))
    return found


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    return [node.arg] if isinstance(node, ast.arg) else []


def lookup(dotted: str) -> object:
    """What a dotted name stands for.  Raises: ImportError, AttributeError where it stands for nothing."""
    parts = dotted.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            found = getattr(found, part)
        return found
    raise ImportError(dotted)


def test_the_glossary_has_terms() -> None:
    assert len(terms()) > 40
    assert len({t.word for t in terms()}) == len(terms())


@pytest.mark.parametrize("term", terms(), ids=lambda t: t.word)
def test_a_term_names_something_in_the_code(term: Term) -> None:
    assert term.names
    for name in term.names:
        lookup(name)


def test_words_to_avoid_name_nothing_in_the_code() -> None:
    used = {
        f"{term.word}, not {word}": words_of_code()[word]
        for term in terms()
        for word in term.avoid
        if word in words_of_code()
    }
    assert used == {}
