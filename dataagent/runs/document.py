"""A run as one JSON document, the same for the API and the command line.

Numbers keep every digit that the warehouse gave.  A number that readers with
64-bit floats would change (a whole number beyond 2^53, a decimal of too many
digits) is written as text of its digits, every other one as a JSON number; each
column says its type.  Dates and moments are ISO 8601 text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from pydantic import TypeAdapter

from catalog.query import Default, ResultColumn
from catalog.types import Scalar
from dataagent.answering.types import Answer, Check, SourceRef
from dataagent.intent.types import Binding, Limitation
from dataagent.runs.encoding import SAFE_INTEGER
from dataagent.runs.states import TERMINAL
from dataagent.runs.types import RunState, RunView

EXIT_CODES: dict[str, int] = {"answer": 0, "define": 0, "clarify": 2, "abstain": 3, "deny": 4, "failure": 5}
"""Exit code of the command line by decision."""

_WITHOUT_DECISION = (RunState.FAILED, RunState.CANCELLED, RunState.SUPERSEDED, RunState.EXHAUSTED)
_DUMPERS: dict[type, TypeAdapter[Any]] = {
    kind: TypeAdapter(kind) for kind in (Default, Binding, Limitation, Check, SourceRef)
}
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (Decimal, "decimal"),
    (datetime, "datetime"),
    (date, "date"),
)


def document(run: RunView) -> dict[str, Any]:
    """The run as JSON data; decimals and dates are still values, for `write`."""
    return {
        "run_id": run.id,
        "session_id": run.session_id,
        "workspace": run.workspace,
        "asker": run.asker,
        "question": run.question,
        "today": run.today,
        "state": run.state.value,
        "reason": run.reason,
        "ended": run.state in TERMINAL,
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        **_answer(run),
        "receipt_digest": run.receipt_digest,
        "timings_ms": run.timings_ms,
    }


def decision(run: RunView) -> str:
    """The decision of a run; "failure" where it ended without one, "" while it is open."""
    if run.state in _WITHOUT_DECISION:
        return "failure"
    return run.answer.decision.value if run.answer else ""


def write(data: Any) -> str:
    """JSON text with exact numbers."""
    return "".join(_pieces(data))


def _answer(run: RunView) -> dict[str, Any]:
    answer = run.answer
    if answer is None:
        return {"decision": decision(run)}
    return {
        "decision": decision(run),
        "headline": answer.headline,
        "subline": answer.subline,
        "restatement": answer.restatement,
        "columns": [_column(c, i, answer.rows) for i, c in enumerate(answer.columns)],
        "rows": answer.rows,
        "total_row": answer.total_row,
        "truncated": answer.truncated,
        "chart": _chart(answer),
        "defaults": _all(answer.defaults, Default),
        "assumptions": answer.assumptions,
        "caveats": answer.caveats,
        "certificate": _all(answer.certificate, Binding),
        "row_scope": answer.row_scope,
        "checks": _all(answer.checks, Check),
        "sources": _all(answer.sources, SourceRef),
        "sql": answer.sql,
        "proposed_sql": answer.proposed_sql,
        "prompt": answer.prompt,
        "options": [
            {"number": n, "label": o.label, "question": o.question, "detail": o.detail}
            for n, o in enumerate(answer.options, start=1)
        ],
        "limitation": _DUMPERS[Limitation].dump_python(answer.limitation) if answer.limitation else None,
        "next_questions": answer.next_questions,
        "choices": [{"start": c.start, "end": c.end, "label": c.label, "question": c.question} for c in answer.choices],
        "inherited": [
            {"label": i.label, "turn": i.turn, "run_id": i.run_id, "question": i.question} for i in answer.inherited
        ],
    }


def _all(items: Iterable[Any], kind: type) -> list[Any]:
    return [_DUMPERS[kind].dump_python(item) for item in items]


def _column(column: ResultColumn, index: int, rows: tuple[tuple[Scalar, ...], ...]) -> dict[str, Any]:
    return {
        "name": column.name,
        "label": column.label,
        "role": column.role,
        "type": _type([row[index] for row in rows]),
        "format": column.format,
        "unit": column.unit,
        "granularity": column.granularity,
        "of": column.of,
        "derived": column.derived.value if column.derived else "",
    }


def _type(cells: list[Scalar]) -> str:
    """The widest type among the cells: a column of whole and broken numbers is decimal."""
    found = {next((name for kind, name in _TYPES if isinstance(c, kind)), "text") for c in cells if c is not None}
    if found == {"integer", "decimal"}:
        return "decimal"
    return found.pop() if len(found) == 1 else "text"


def _chart(answer: Answer) -> dict[str, Any] | None:
    chart = answer.chart
    if chart is None:
        return None
    return {"kind": chart.kind, "x": chart.x, "y": chart.y, "series": chart.series, "reason": chart.reason}


def _pieces(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        yield from _between("{}", (_pair(k, v) for k, v in data.items()))
    elif isinstance(data, list | tuple | set | frozenset):
        yield from _between("[]", (_pieces(v) for v in data))
    else:
        yield _scalar(data)


def _pair(key: Any, value: Any) -> Iterator[str]:
    yield json.dumps(str(key.value if isinstance(key, Enum) else key))
    yield ": "
    yield from _pieces(value)


def _between(brackets: str, items: Iterable[Iterator[str]]) -> Iterator[str]:
    yield brackets[0]
    for number, item in enumerate(items):
        if number:
            yield ", "
        yield from item
    yield brackets[1]


def _scalar(value: Any) -> str:
    if isinstance(value, Enum):
        return json.dumps(value.value)
    if isinstance(value, Decimal):
        return _decimal(value) if value.is_finite() else "null"
    if isinstance(value, int) and abs(value) > SAFE_INTEGER:
        return json.dumps(str(value))
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    return json.dumps(value)


def _decimal(value: Decimal) -> str:
    """The digits, in quotes where a float would not give them back."""
    text = f"{value:f}" if value else f"{abs(value):f}"
    return text if Decimal(repr(float(value))) == value else json.dumps(text)
