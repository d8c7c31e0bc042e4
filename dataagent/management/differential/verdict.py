"""What became of one query on both sides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from catalog.compiler.flow.compile import compile_flow
from catalog.management.metricflow.compare import difference
from catalog.management.metricflow.engines import REVERSED, SCHEMA, Engine, EngineError
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot
from dataagent.management.differential.asked import Asked
from dataagent.management.differential.faults import known_fault

_DIVIDED_BY_NOTHING = re.compile(r"\b(inf|nan)\b")


class Outcome(StrEnum):
    """How the two sides compare; undecided where the peer's rows change with the order in which tables are stored."""

    EQUAL = "equal"
    UNDECIDED = "undecided"
    BOTH_REFUSE = "both_refuse"
    WE_REFUSE = "we_refuse"
    THEY_REFUSE = "they_refuse"
    THEIRS_FAILS = "theirs_fails"
    OURS_FAILS = "ours_fails"
    BOTH_FAIL = "both_fail"
    KNOWN_FAULT = "known_fault"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One query, how it went, and both texts where they differ."""

    asked: Asked
    outcome: Outcome
    told: str = ""
    ours: str = ""
    theirs: str = ""


def verdict_on(asked: Asked, answer: dict[str, Any], snapshot: CatalogSnapshot, engine: Engine) -> Verdict:
    """The verdict on a query and the peer's answer to it."""
    query = asked.flow(snapshot)
    found = compile_flow(query, snapshot, dialect=engine.dialect)
    sql, refused = str(answer.get("sql", "")), str(answer.get("refused", ""))
    if not isinstance(found, CompiledQuery):
        told = f"{found[0].code}: {found[0].message}"
        return Verdict(
            asked=asked, outcome=Outcome.BOTH_REFUSE if refused else Outcome.WE_REFUSE, told=told, theirs=sql or refused
        )
    try:
        ours = engine.run(found.sql)
    except EngineError as bad:
        outcome = Outcome.BOTH_FAIL if sql and _fails(sql, engine) else Outcome.OURS_FAILS
        return Verdict(asked=asked, outcome=outcome, told=str(bad), ours=found.sql, theirs=sql or refused)
    if refused:
        return Verdict(asked=asked, outcome=Outcome.THEY_REFUSE, told=refused, ours=found.sql)
    try:
        theirs = engine.run(sql)
    except EngineError as bad:
        return Verdict(asked=asked, outcome=Outcome.THEIRS_FAILS, told=str(bad), ours=found.sql, theirs=sql)
    names = {c.name for c in found.columns}
    ordered = tuple(o.text for o in asked.order_by if o.text in names)
    told = difference(ours, theirs, ordered)
    if not told:
        return Verdict(asked=asked, outcome=Outcome.EQUAL, ours=found.sql, theirs=sql)
    if difference(theirs, engine.run(sql.replace(f"{SCHEMA}.", f"{REVERSED}.")), ordered):
        return Verdict(asked=asked, outcome=Outcome.UNDECIDED, told=told, ours=found.sql, theirs=sql)
    fault = known_fault(query, snapshot) or ("a division by 0" if _DIVIDED_BY_NOTHING.search(told) else "")
    outcome = Outcome.KNOWN_FAULT if fault else Outcome.DIFFERENT
    return Verdict(asked=asked, outcome=outcome, told=f"{fault}: {told}" if fault else told, ours=found.sql, theirs=sql)


def _fails(sql: str, engine: Engine) -> bool:
    try:
        engine.run(sql)
    except EngineError:
        return True
    return False
