"""Grade a corpus of statements: the verdict, the result against the permitted world, and what must never be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from catalog.access import AccessScope
from dataagent.management.guard_engines import Engine, Outcome
from dataagent.management.guard_policy import CorpusPolicy, scope_for
from dataagent.sqlguard.guard import Bounds, GuardedQuery, Refusal, guard

LIMITS = {"timeout", "out_of_memory", "too_large"}
_BOUNDS = Bounds(max_rows=10_000, timeout_s=10.0)


class Expectation(BaseModel):
    """Rows and columns that a case promises."""

    rows: int | None = None
    columns: list[str] | None = None


class Case(BaseModel):
    """One statement of a corpus."""

    model_config = ConfigDict(extra="ignore")

    id: str
    dialect: str = "duckdb"
    sql: str
    verdict: str = ""
    accept: list[str] | None = None
    expect: Expectation | None = None
    benign: bool = False
    compare: str = ""

    def accepted(self) -> set[str]:
        """All verdicts that are secure and useful."""
        return set(self.accept if self.accept is not None else [self.verdict])


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """What became of one case.  `rows` are the cells of its execution as text."""

    id: str
    verdict: str
    reason: str
    message: str = ""
    guarded_sql: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    false_allow: bool = False
    false_block: bool = False
    wrong_result: bool = False
    leak: bool = False
    executed: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return not (self.false_allow or self.false_block or self.wrong_result or self.leak)

    def as_json(self) -> dict[str, Any]:
        """The line that the command prints."""
        return {**asdict(self), "ok": self.ok}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grader:
    """A policy with the engines to try it on."""

    policy: CorpusPolicy
    engines: Mapping[str, Engine]
    scopes: dict[str, AccessScope] = field(default_factory=dict)

    def gradings(self, cases: Iterable[Case]) -> Iterator[Grading]:
        """One grading per case, in order."""
        for case in cases:
            yield self.grade(case)

    def grade(self, case: Case) -> Grading:
        """What the guard and the engine make of one case."""
        engine = self.engines.get(case.dialect)
        found = self._guarded(case, engine)
        if isinstance(found, Refusal):
            return self._denied(case, found.reason, found.message)
        verdict = "rewrite" if self._narrowed(found) else "allow"
        if engine is None:
            return _with_verdict(case, Grading(id=case.id, verdict=verdict, reason="", guarded_sql=found.sql))
        outcome = engine.guarded(found)
        if outcome.fault in LIMITS:
            return _with_verdict(case, Grading(id=case.id, verdict="limit", reason=outcome.fault, executed=True))
        expected = engine.permitted(case.sql)
        if outcome.fault and expected.fault and not _accepts_runs(case):
            return self._denied(case, outcome.fault, "The warehouse could not run the query.")
        grading = Grading(
            id=case.id,
            verdict=verdict,
            reason=outcome.fault,
            guarded_sql=found.sql,
            columns=outcome.columns,
            rows=tuple(tuple(None if v is None else str(v) for v in row) for row in outcome.rows),
            wrong_result=not _same(case, outcome, expected),
            leak=self._leaks(case, outcome),
            executed=True,
        )
        return _with_verdict(case, grading)

    def _guarded(self, case: Case, engine: Engine | None) -> GuardedQuery | Refusal:
        scope = self.scopes.setdefault(case.dialect, scope_for(self.policy, case.dialect))
        place = self.policy.place(case.dialect)
        return guard(
            case.sql,
            dialect=case.dialect,
            scope=scope,
            schema=engine.schema if engine is not None else (),
            bounds=_BOUNDS,
            catalog=place.catalog,
            default_schema=place.schema_,
        )

    def _narrowed(self, query: GuardedQuery) -> bool:
        places = [name.partition(".")[2] for name in query.tables]
        tables = [self.policy.tables[name] for name in places]
        return any(t.row_filter or t.masks or t.denied_columns for t in tables)

    def _denied(self, case: Case, reason: str, message: str) -> Grading:
        leak = self._shows(case, message)
        return _with_verdict(case, Grading(id=case.id, verdict="deny", reason=reason, message=message, leak=leak))

    def _leaks(self, case: Case, outcome: Outcome) -> bool:
        cells = [str(v) for row in outcome.rows for v in row if v is not None]
        return any(self._shows(case, text) for text in (*outcome.columns, *cells))

    def _shows(self, case: Case, text: str) -> bool:
        return any(canary in text and canary not in case.sql for canary in self.policy.canaries)


def summary_of(gradings: Iterable[Grading], cases: Mapping[str, Case]) -> dict[str, Any]:
    """Counts over a whole corpus."""
    found = list(gradings)
    wrong = Counter(
        {
            "false_allows": sum(j.false_allow for j in found),
            "false_blocks": sum(j.false_block for j in found),
            "wrong_results": sum(j.wrong_result for j in found),
            "leaks": sum(j.leak for j in found),
        }
    )
    return {
        "cases": len(found),
        "ok": sum(j.ok for j in found),
        **wrong,
        "executed": sum(j.executed for j in found),
        "benign": sum(case.benign for case in cases.values()),
        "benign_blocked": sum(j.verdict == "deny" and cases[j.id].benign and j.false_block for j in found),
        "by_dialect": {d: _dialect_counts(found, cases, d) for d in sorted({c.dialect for c in cases.values()})},
    }


def _dialect_counts(found: list[Grading], cases: Mapping[str, Case], dialect: str) -> dict[str, int]:
    mine = [j for j in found if cases[j.id].dialect == dialect]
    return {"cases": len(mine), "ok": sum(j.ok for j in mine), "executed": sum(j.executed for j in mine)}


def _accepts_runs(case: Case) -> bool:
    return bool(case.accepted() & {"allow", "rewrite"})


def _with_verdict(case: Case, grading: Grading) -> Grading:
    """The grading with its verdict compared: running what must not run, or stopping what should run."""
    accepted = case.accepted()
    if grading.verdict in accepted:
        return grading
    values = {name: getattr(grading, name) for name in Grading.__slots__}
    if grading.verdict in {"deny", "limit"}:
        values["false_block"] = True
    else:
        values["false_allow"] = not (accepted & {"allow", "rewrite"}) or "allow" not in accepted
    return Grading(**values)


def _same(case: Case, outcome: Outcome, expected: Outcome) -> bool:
    """Whether the guarded result is the one of the permitted world, and as large as the case promises."""
    if outcome.fault or expected.fault:
        return bool(outcome.fault) == bool(expected.fault) or _only_we_run(case, outcome)
    promised = case.expect
    if promised is not None:
        if promised.rows is not None and promised.rows != len(outcome.rows):
            return False
        if promised.columns is not None and tuple(promised.columns) != outcome.columns:
            return False
    if outcome.columns != expected.columns:
        return False
    cells = _texts if case.compare == "text" else _cells
    return Counter(map(cells, outcome.rows)) == Counter(map(cells, expected.rows))


def _only_we_run(case: Case, outcome: Outcome) -> bool:
    """A statement that the engine refuses as written but runs as regenerated is no wrong result where it may run."""
    return not outcome.fault and _accepts_runs(case)


def _texts(row: tuple[Any, ...]) -> tuple[str, ...]:
    """Cells as text only: a whole row has another type name where its source has."""
    return tuple(str(v) for v in row)


def _cells(row: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(f"{type(v).__name__}:{v}" for v in row)
