"""A receipt as a page: every part of the signed view, in the order in which a run goes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dataagent.answering.numerals import NO_VALUE
from dataagent.policy.audit import AuditEntry, AuditKind
from dataagent.runs.chain import ChainVerdict
from frontend.contexts.sql import SqlPiece, laid_out, sql_pieces
from frontend.values import clock, short_digest

PARTS = (
    ("run", "The question", "Who asked what, when, and how it ended."),
    ("intent", "How it was read", "The meaning that was taken, and the word by word certificate."),
    ("policy", "Authority", "The decision, the policy version, and the rules put below the query."),
    ("catalog", "Catalog", "The frozen catalog version, and the metrics with their versions."),
    ("cards", "Context cards", "The cards that were used, each at its version."),
    ("evidence", "Evidence", "Everything permitted that was considered, with what became of it."),
    ("withheld", "Withheld", "Candidates that policy removed before ranking."),
    ("planner", "Planner", "What proposed the plan, with its versions."),
    ("query", "Query", "The SQL that was proposed and the SQL that ran."),
    ("data", "Data", "How far the tables reached when the query ran."),
    ("result", "Result", "The result by digest: the rows themselves are not copied here."),
    ("checks", "Checks", "Validations of the result."),
    ("claims", "Claims", "Every number of the answer, by the cells that it rests on."),
    ("claims_salt", "Salt of the claims", "With it the asker can check the digests of the claims."),
    ("defaults", "Decided for the person", "What was assumed where the question was silent."),
    ("assumptions", "Assumptions", ""),
    ("caveats", "Caveats", ""),
    ("memory", "Memory", "What was remembered or written down."),
    ("destination", "Destination", "Where the answer went."),
    ("steps", "Steps", "Each recorded step with its digests and time."),
    ("timings_ms", "Time by step, in ms", ""),
    ("costs", "Costs", ""),
)
_ORDER = """
question asker roles workspace state reason decision restatement effect rule number kind text name title key table
label type claim value version authority disposition why outcome cells calculation engine dialect rows columns
tables pointer created_at finished_at today
"""
ORDER = tuple(_ORDER.split())
"""Which fields come first; digests come last, all others by name between."""
SQL_FIELDS = frozenset({"proposed_sql", "executed_sql"})
MAX_CELL = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A named value."""

    label: str
    value: str
    mono: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A block of SQL or JSON."""

    label: str
    pieces: tuple[SqlPiece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A small table of texts."""

    label: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptSection:
    """One part of the receipt."""

    key: str
    title: str
    note: str
    pairs: tuple[Pair, ...]
    items: tuple[str, ...]
    grids: tuple[Grid, ...]
    codes: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AudienceLink:
    """An audience that the reader may take the receipt for."""

    name: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptPage:
    """The receipt of one run for one audience."""

    run_id: str
    question: str
    audience: str
    audiences: tuple[AudienceLink, ...]
    issued_at: str
    sequence: str
    digest: str
    previous_digest: str
    file_name: str
    sections: tuple[ReceiptSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """An entry of the audit in words."""

    sequence: str
    when: str
    what: str
    by: str
    subject: str
    details: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """The last entries, and the chain's verdict in words; empty before it was asked for."""

    verdict: str
    tone: str
    lines: tuple[AuditLine, ...]


def audit_page(verdict: ChainVerdict | None, entries: Sequence[AuditEntry]) -> AuditPage:
    """The audit page, with the verdict where the chain was verified."""
    lines = tuple(map(_audit_line, entries))
    if verdict is None:
        return AuditPage(verdict="", tone="", lines=lines)
    if verdict.ok:
        words = f"The chain holds: {verdict.links:,} links, each signed and in its place"
        words += f", and {verdict.entries:,} entries of the audit."
        return AuditPage(verdict=words, tone="ok", lines=lines)
    words = f"The chain breaks at position {verdict.position}. {verdict.message}"
    return AuditPage(verdict=words, tone="bad", lines=lines)


AUDIT_WORDS = {
    AuditKind.RUN_ENDED: "A run ended",
    AuditKind.DENIED: "Refused",
    AuditKind.RUN_READ: "Somebody else's run read",
    AuditKind.RECEIPT_READ: "Somebody else's receipt taken",
    AuditKind.MANIFEST_READ: "Somebody else's manifest read",
    AuditKind.EXPORTED: "A result taken away",
    AuditKind.POLICY_CHANGED: "The policy changed",
    AuditKind.ACCESS_REQUESTED: "Access asked for",
    AuditKind.ACCESS_GRANTED: "Access granted for a time",
    AuditKind.ACCESS_DECLINED: "Access declined",
    AuditKind.ACCESS_ENDED: "Access ended",
    AuditKind.ERASED: "Old entries erased",
}


def _audit_line(entry: AuditEntry) -> AuditLine:
    details = " · ".join(f"{name} {text[:24]}" for name, text in entry.facts().items() if text)
    return AuditLine(
        sequence=str(entry.sequence),
        when=f"{entry.at:%Y-%m-%d %H:%M:%S} UTC",
        what=AUDIT_WORDS[AuditKind(entry.kind)],
        by="(erased)" if entry.erased_at else entry.by or "(whoever runs the product)",
        subject=entry.subject,
        details=details,
    )


def receipt_page(payload: Mapping[str, Any], audiences: Sequence[str]) -> ReceiptPage:
    """The page of a verified receipt's payload."""
    chain, view = payload["chain"], payload["view"]
    audience = str(payload["audience"])
    return ReceiptPage(
        run_id=str(payload["run"]),
        question=str(view["run"]["question"]),
        audience=audience,
        audiences=tuple(AudienceLink(name=name, current=name == audience) for name in audiences),
        issued_at=_moment(payload["issued_at"]),
        sequence=str(chain["sequence"]),
        digest=str(chain["digest"]),
        previous_digest=str(chain["previous_digest"] or NO_VALUE),
        file_name=f"receipt-{str(payload['run'])[:8]}-{audience}.json",
        sections=tuple(_section(key, title, note, view[key]) for key, title, note in PARTS if key in view),
    )


def _section(key: str, title: str, note: str, part: Any) -> ReceiptSection:
    pairs: list[Pair] = []
    items: tuple[str, ...] = ()
    grids: list[Grid] = []
    codes: list[Code] = []
    if isinstance(part, Mapping):
        for name, value in sorted(part.items(), key=lambda item: _place(item[0])):
            _sort_in(name, value, pairs, (grids, codes))
    elif _is_grid(part):
        grids.append(_grid("", part))
    elif isinstance(part, list):
        items = tuple(map(_text, part))
    else:
        pairs.append(_pair(key, part))
    return ReceiptSection(
        key=key, title=title, note=note, pairs=tuple(pairs), items=items, grids=tuple(grids), codes=tuple(codes)
    )


def _sort_in(name: str, value: Any, pairs: list[Pair], blocks: tuple[list[Grid], list[Code]]) -> None:
    grids, codes = blocks
    if name in SQL_FIELDS and value:
        codes.append(Code(label=_label(name), pieces=sql_pieces(laid_out(str(value)))))
    elif _is_grid(value):
        grids.append(_grid(_label(name), value))
    elif isinstance(value, Mapping) and any(isinstance(v, list | Mapping) for v in value.values()):
        text = json.dumps(value, indent=2, ensure_ascii=False)
        codes.append(Code(label=_label(name), pieces=(SqlPiece(text=text, kind="plain"),)))
    else:
        pairs.append(_pair(name, value))


def _place(name: str) -> tuple[int, str]:
    if name in ORDER:
        return ORDER.index(name), name
    return (len(ORDER) + 1 if name.endswith("digest") else len(ORDER)), name


def _is_grid(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _grid(label: str, rows: Sequence[Mapping[str, Any]]) -> Grid:
    names = [
        name for name in sorted(rows[0], key=_place) if any(row.get(name) not in ("", None, [], {}) for row in rows)
    ]
    return Grid(
        label=label,
        heads=tuple(map(_label, names)),
        rows=tuple(tuple(_cell(name, row.get(name)) for name in names) for row in rows),
    )


def _pair(name: str, value: Any) -> Pair:
    text = _moment(value) if name.endswith("_at") else _text(value)
    return Pair(label=_label(name), value=text, mono=name.endswith(("digest", "_id", "salt")) or name == "id")


def _cell(name: str, value: Any) -> str:
    if name.endswith("digest") and isinstance(value, str):
        return short_digest(value)
    text = _moment(value) if name.endswith(("_at", "_until")) else _text(value)
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _text(value: Any) -> str:
    if value is None or value == "" or value in ([], {}):
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{_label(str(key))} {_text(part)}" for key, part in value.items())
    return str(value)


def _moment(value: Any) -> str:
    try:
        return clock(datetime.fromisoformat(str(value)))
    except ValueError:
        return _text(value)


def _label(name: str) -> str:
    return name.replace("_", " ").replace("sql", "SQL")
