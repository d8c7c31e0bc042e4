"""Differential fuzzing of the guard.  A long run: `python -m tests.sqlguard.fuzz.run --statements 1000000 --seed 1`.

Whatever passes is run on engines that would show a hole: nothing hidden may be
seen in it, its result must be that of the same text on a database with only
what is permitted, and nothing may have changed afterwards.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dataagent.management.guard_policy import scope_for
from dataagent.sqlguard.guard import GuardedQuery, forget_decisions, guard
from tests.sqlguard.fuzz.engines import CORPUS, FILE_CANARY, POLICY, DuckDBEngine, Engine, Found, postgres
from tests.sqlguard.fuzz.grammar import Grammar
from tests.sqlguard.fuzz.mutations import mutated

PICTURE_EVERY = 2_000
_UNSETTLED = re.compile(
    r"limit|offset|random|uuid|now\(|current_|timestamp|sample|first|last|any_value|row_number|list|array_agg|string_agg"
    r"|fetch|distinct on|hash|typeof|row\(",
    re.IGNORECASE,
)
"""Words of statements whose result is not settled by their text, so that it cannot be compared."""
_SPELLING = re.compile(r"[\"'\s()]")
_BY_VALUE = re.compile(r"division by zero|invalid input|out of range|could not convert", re.IGNORECASE)
"""Faults that a single value brings about.  Engines may test permitted rows in another order, so these only count."""


@dataclass(slots=True)
class Report:
    """What a run came to.  `holes` are statements with what they showed; there must be none."""

    counts: Counter[str] = field(default_factory=Counter)
    holes: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        words = ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
        return "\n".join([words, *(f"{why}: {sql!r}" for why, sql in self.holes[:50])])


def fuzz(engine: Engine, statements: int, seed: int, file: str) -> Report:
    """The report on that many statements; the same seed gives the same ones."""
    report = Report()
    scope = scope_for(POLICY, engine.dialect)
    before = engine.picture()
    recent: list[str] = []
    for number, sql in enumerate(_statements(engine.dialect, statements, seed, file)):
        found = guard(
            sql,
            dialect=engine.dialect,
            scope=scope,
            schema=engine.schema,
            default_schema=POLICY.place(engine.dialect).schema_,
        )
        report.counts["statements"] += 1
        if isinstance(found, GuardedQuery):
            recent.append(sql)
            _judge(engine, sql, found, report)
        if number % PICTURE_EVERY == PICTURE_EVERY - 1 or number == statements - 1:
            if engine.picture() != before:
                report.holes.append(("something changed within", " ;; ".join(recent)))
                return report
            recent.clear()
            forget_decisions()
    return report


def _judge(engine: Engine, sql: str, query: GuardedQuery, report: Report) -> None:
    report.counts["passed"] += 1
    found = engine.guarded(query)
    shown = _shown(sql, found)
    if shown:
        report.holes.append((f"shows {shown}", sql))
    if found.fault:
        report.counts["failed in the engine"] += 1
        if _BY_VALUE.search(found.fault) and not engine.permitted(sql).fault:
            report.counts["failed by a value, unlike what is permitted"] += 1
        return
    report.counts["ran"] += 1
    if _UNSETTLED.search(sql):
        return
    expected = engine.permitted(sql)
    if expected.fault:
        report.counts["ran only as rewritten"] += 1
    elif _settled(found) != _settled(expected):
        report.holes.append(("another result than what is permitted", sql))
    else:
        report.counts["compared"] += 1


def _settled(found: Found) -> Counter[str]:
    """The rows without differences in how DuckDB spells a column without a name, which a whole row shows as a key."""
    rows: Counter[str] = Counter()
    for row, count in found.rows.items():
        rows[_SPELLING.sub("", "\x1f".join(row).lower().replace("varchar", "text"))] += count
    return rows


def _shown(sql: str, found: Found) -> str:
    """The canary that stands in the result, unless the statement holds it itself."""
    seen = "\n".join([found.fault, *found.columns, *(cell for row in found.rows for cell in row)])
    return next((c for c in (*POLICY.canaries, FILE_CANARY) if c in seen and c not in sql), "")


def _statements(dialect: str, count: int, seed: int, file: str) -> Iterator[str]:
    """Half from the grammar, half of them and of the corpus bent."""
    random = Random(f"{dialect} {seed}")
    grammar = Grammar(dialect=dialect, random=random)
    known = list(_corpus(dialect))
    for _ in range(count):
        sql = grammar.statement()
        if random.randrange(2):
            base = sql if random.randrange(2) else random.choice(known)
            sql = mutated(base, grammar.statement(), random)
        yield sql.replace("{file}", file)


def _corpus(dialect: str) -> Iterator[str]:
    for path in sorted(CORPUS.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            engines, _, sql = line.split("\t")
            if engines in {"both", dialect}:
                yield sql


def main() -> int:
    """Run on both engines; 1 where there is a hole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=["duckdb", "postgres"], default="duckdb")
    given = parser.parse_args()
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="guard-fuzz-") as name:
        if given.engine == "postgres":
            with postgres() as engine:
                report = fuzz(engine, given.statements, given.seed, "/etc/hostname")
        else:
            folder = Path(name)
            report = fuzz(DuckDBEngine(folder), given.statements, given.seed, str(folder / "canary.txt"))
    sys.stdout.write(f"{report}\n")
    return 1 if report.holes else 0


if __name__ == "__main__":
    sys.exit(main())
