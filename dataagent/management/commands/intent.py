"""manage.py intent: reads question lines, prints what the planner understands, scores it on request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.access import AccessScope
from catalog.collector import set_apart
from catalog.compiler.prepare import prepared
from catalog.importers.formats import load_any
from catalog.importers.vocabulary import load_vocabulary, roles_of, today_of
from catalog.issues import CatalogError
from catalog.terms import TermIndex, build_index
from catalog.types import CatalogSnapshot
from dataagent.intent.planjson import plan_json
from dataagent.intent.ready import make_ready
from dataagent.intent.scoring import Scored, score_line, summary
from dataagent.intent.types import Turn, Understanding
from dataagent.intent.understand import understand

EVERYONE = "everyone"
"""The one role of a catalog file that names none: it sees all of it."""


class Command(BaseCommand):
    """Needs no database and no warehouse: values come from the catalog file."""

    help = "Understand each question of a JSONL file with the offline planner."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--catalog", type=Path, required=True, help="vocabulary file, own YAML file or folder")
        parser.add_argument("--json", action="store_true", dest="as_json")
        parser.add_argument("--score", action="store_true")
        parser.add_argument("--today", type=date.fromisoformat)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            reader = Reader(options["catalog"], options["today"])
        except CatalogError as bad:
            raise CommandError("; ".join(i.message for i in bad.issues)) from bad
        scored: list[Scored] = []
        spent: list[float] = []
        for line in _lines(options["file"]):
            result = reader.result(line)
            spent.append(result["ms"])
            if options["score"]:
                scored.append(score_line(line, result))
            self.stdout.write(json.dumps(result) if options["as_json"] else _human(line, result))
        if options["score"]:
            found = {**summary(tuple(scored)), "latency_ms": _latency(spent)}
            self.stdout.write(json.dumps({"summary": found}) if options["as_json"] else _table(found))


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as bad:
        raise CommandError(f"The file {file} cannot be read: {bad.strerror}.") from bad
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as bad:
                raise CommandError(f"{file}:{number}: not JSON: {bad.msg}.") from bad


class Reader:
    """The catalog with one index per role."""

    def __init__(self, path: Path, today: date | None) -> None:
        self.snapshot, self.scopes = _catalog(path)
        prepared(self.snapshot)
        self.today = today or (None if path.is_dir() else today_of(path)) or date(2025, 6, 18)
        self.indexes: dict[str, TermIndex] = {}

    def result(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """The outcome of one line, earlier turns replayed first."""
        role = str(line.get("requester") or next(iter(self.scopes)))
        snapshot = overridden(self.snapshot, line.get("overrides") or {})
        turns: tuple[Turn, ...] = ()
        self._ready(role)
        for question in line.get("context_turns") or ():
            earlier = self._understand(question, role, snapshot, turns)
            turns = (*turns, Turn(question=question, intent=earlier.intent))
        begun = perf_counter()
        outcome = self._understand(str(line["question"]), role, snapshot, turns)
        return {**_result(line, outcome), "ms": round((perf_counter() - begun) * 1000, 2)}

    def _ready(self, role: str) -> AccessScope:
        """The role's scope, with its words read and all apart that lasts, as a worker has them before it is asked.

        Raises: CommandError for a role that the catalog does not name.
        """
        scope = self.scopes.get(role) or self.scopes.get(EVERYONE)
        if scope is None:
            raise CommandError(f"The catalog names no role “{role}”.")
        if role not in self.indexes:
            self.indexes[role] = build_index(self.snapshot, scope, {})
            make_ready(self.snapshot, scope)
            set_apart()
        return scope

    def _understand(
        self, question: str, role: str, snapshot: CatalogSnapshot, turns: tuple[Turn, ...]
    ) -> Understanding:
        scope = self._ready(role)
        return understand(
            question,
            snapshot=snapshot,
            scope=scope,
            index=self.indexes[role],
            today=self.today,
            turns=turns,
            denied_metrics=scope.announced,
        )


def _catalog(path: Path) -> tuple[CatalogSnapshot, Mapping[str, AccessScope]]:
    if not path.exists():
        raise CommandError(f"There is no catalog at {path}.")
    text = "" if path.is_dir() else path.read_text(encoding="utf-8")
    if not path.is_dir() and "\nmetrics:" in f"\n{text}" and "\nroles:" in f"\n{text}":
        return load_vocabulary(path), roles_of(path)
    snapshot = load_any(path)
    names = frozenset(m.name for m in snapshot.metrics)
    scope = AccessScope(
        workspace=snapshot.name,
        principal=EVERYONE,
        policy_version="1",
        digest="all",
        metrics=names,
        without_warehouse=True,
    )
    return snapshot, {EVERYONE: scope}


def overridden(snapshot: CatalogSnapshot, overrides: Mapping[str, Any]) -> CatalogSnapshot:
    """The snapshot with calendar settings of one line ("calendar.week_start": null)."""
    changes = {k.removeprefix("calendar."): v for k, v in overrides.items() if k.startswith("calendar.")}
    return replace(snapshot, calendar=replace(snapshot.calendar, **changes)) if changes else snapshot


def _result(line: Mapping[str, Any], outcome: Understanding) -> dict[str, Any]:
    return {
        "id": line.get("id"),
        "decision": outcome.decision.value,
        "plan": plan_json(outcome.intent) if outcome.intent else None,
        "options": [
            {"label": o.label, "question": o.question, "plan": plan_json(o.intent) if o.intent else None}
            for o in outcome.options
        ],
        "unbound": list(outcome.limitation.unbound) if outcome.limitation else [],
        "reason": outcome.limitation.code if outcome.limitation else None,
        "message": outcome.limitation.message if outcome.limitation else outcome.prompt,
        "restatement": outcome.restatement,
        "certificate": [
            {"start": b.start, "end": b.end, "text": b.text, "kind": b.kind.value, "target": b.target,
             "paths": list(b.paths), "note": b.note}
            for b in outcome.certificate
        ],
    }  # fmt: skip


def _human(line: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    tail = result["restatement"] or result["message"]
    return f"{result['id']}  {result['decision']:8} {line['question']}\n      {tail}"


def _latency(spent: list[float]) -> dict[str, float]:
    ordered = sorted(spent) or [0.0]
    return {"p50": ordered[len(ordered) // 2], "p95": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]}


_SHOWN = (
    "silent_wrong", "precision", "coverage", "clarify_precision", "clarify_recall", "gold_among_options",
    "abstain_recall", "deny_recall", "right",
)  # fmt: skip


def _row(name: str, found: Mapping[str, Any]) -> str:
    cells = []
    for key in _SHOWN:
        share = found[key]
        cells.append(f"{key} {share['hits']}/{share['of']} [{share['low']:.2f}, {share['high']:.2f}]")
    return f"{name}: " + ", ".join(c for c, k in zip(cells, _SHOWN, strict=True) if found[k]["of"])


def _table(found: Mapping[str, Any]) -> str:
    rows = [_row("all", found), f"RS(10) {found['rs10']} over {found['lines']} lines", f"latency {found['latency_ms']}"]
    rows += [f"wrong: {found['wrong_ids']}", f"missed: {found['missed']}"]
    for kind in ("by_style", "by_construct"):
        rows += [_row(f"{kind[3:]} {name}", part) for name, part in found[kind].items()]
    return "\n".join(rows)
