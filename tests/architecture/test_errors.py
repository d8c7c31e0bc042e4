"""Every error that people see has a code that all doors know."""

from __future__ import annotations

import ast

from dataagent.errors import HTTP_STATUS
from frontend.contexts.errors import TITLES
from tests.architecture.sources import product_files, tree_of

ERRORS = {"ShownError", "CardError"}
OUR_FAULT = "internal_error"
"""Not raised: what a door says when anything else was."""


def codes_given() -> set[str]:
    """Codes that shown errors are made with, and those that the API gives to errors of its framework."""
    given: set[str] = set()
    for path in product_files():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                first = node.args[0]
                assert isinstance(first, ast.Constant), f"{path}:{node.lineno}: a code is a word in the code"
                given.add(str(first.value))
    problems = next(p for p in product_files() if p.as_posix() == "dataagent/api/problems.py")
    table = next(n for n in ast.walk(tree_of(problems)) if isinstance(n, ast.AnnAssign) and n.value is not None)
    return given | {str(row.elts[1].value) for row in table.value.elts}  # type: ignore[union-attr,attr-defined]


def test_each_code_has_its_status_and_its_title_and_no_other_has() -> None:
    assert codes_given() == set(HTTP_STATUS)
    assert set(TITLES) == set(HTTP_STATUS)


def test_a_fault_of_ours_is_no_shown_error() -> None:
    assert OUR_FAULT not in codes_given()
