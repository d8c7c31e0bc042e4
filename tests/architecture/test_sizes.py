"""The tail is capped: files 400 lines, functions 50 lines.  The allow-list may only shrink."""

from __future__ import annotations

from tests.architecture.sources import ROOT, functions, product_files, tree_of

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
ALLOWED: dict[str, int] = {}


def _too_long() -> dict[str, int]:
    found: dict[str, int] = {}
    for path in product_files():
        lines = (ROOT / path).read_text(encoding="utf-8").count("\n")
        if lines > MAX_FILE_LINES:
            found[str(path)] = lines
        for function in functions(tree_of(path)):
            length = (function.end_lineno or 0) - function.lineno + 1
            if length > MAX_FUNCTION_LINES:
                found[f"{path}:{function.name}"] = length
    return found


def test_nothing_is_longer_than_its_cap() -> None:
    assert {k: v for k, v in _too_long().items() if v > ALLOWED.get(k, 0)} == {}


def test_the_allow_list_has_no_stale_entry() -> None:
    found = _too_long()
    assert [k for k in ALLOWED if k not in found] == []
