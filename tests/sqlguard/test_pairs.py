"""The rules as pairs in plain SQL: what is refused stands beside its twin that is allowed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sqlguard.test_guard import reason

_PAIR = re.compile(
    r"-- (?P<title>[^\n]+)\n-- refuse: (?P<reason>\w+)\n(?P<refused>.+?);\n-- allow\n(?P<allowed>.+?);\n", re.DOTALL
)


class Pair(NamedTuple):
    title: str
    reason: str
    refused: str
    allowed: str


def pairs() -> list[Pair]:
    files = sorted((Path(__file__).parent / "pairs").glob("*.sql"))
    return [Pair(**m.groupdict()) for f in files for m in _PAIR.finditer(f.read_text(encoding="utf-8") + "\n")]


def test_every_block_of_the_files_is_read() -> None:
    files = (Path(__file__).parent / "pairs").glob("*.sql")
    assert len(pairs()) == sum(f.read_text(encoding="utf-8").count("-- refuse:") for f in files) > 30


@pytest.mark.parametrize("pair", pairs(), ids=lambda p: p.title)
def test_the_first_is_refused_for_its_reason_and_its_twin_is_allowed(pair: Pair) -> None:
    assert (reason(pair.refused), reason(pair.allowed)) == (pair.reason, "allowed")
