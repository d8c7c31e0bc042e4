"""`manage.py evals run SUITE`: asks a suite's questions of the real product and grades the answers."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dataagent.errors import ShownError
from dataagent.policy import service as policy
from evals import service
from evals.report import report
from evals.service import registry
from evals.types import CaseResult, EvalOutcome, EvalReport, SliceSummary

EVALUATOR = "evaluator"
_MARKS = {EvalOutcome.RIGHT: "✓", EvalOutcome.WRONG: "✗", EvalOutcome.FAILED: "!"}


class Command(BaseCommand):
    """Runs golden suites.  Exits 1 when an answer was wrong or a run broke off."""

    help = "Ask a suite's questions and grade the answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        run = actions.add_parser("run", help="run one suite")
        run.add_argument("suite", help="demo, acme or acme_twin")
        run.add_argument("--questions", type=Path, help="another question file of the same form")
        run.add_argument("--json", action="store_true", help="one JSON object per case, then the summary")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            self._run(options["suite"], options["questions"], as_json=options["json"])
        except ShownError as error:
            raise CommandError(" ".join(part for part in (error.message, error.action) if part)) from error

    def _run(self, name: str, questions: Path | None, *, as_json: bool) -> None:
        found = registry.source(name)
        if found.public and not found.path.parent.is_dir():
            self._skip(name, as_json=as_json)
            return
        registry.prepare(found, self._progress)
        evaluator = policy.principal(EVALUATOR, found.workspace)
        run_id, suite = service.begin(evaluator, registry.read(found, questions))
        results = []
        for result in service.work(evaluator, run_id, suite):
            results.append(result)
            self.stdout.write(_json_line(result) if as_json else _text_line(result))
        graded = report(results)
        self.stdout.write(json.dumps(_summary(graded, run_id)) if as_json else _text_summary(graded))
        if graded.total.count(EvalOutcome.WRONG) or graded.total.count(EvalOutcome.FAILED):
            sys.exit(1)

    def _skip(self, name: str, *, as_json: bool) -> None:
        reason = "its data are not on this machine (set DATAAGENT_SUITES to where they lie)"
        self.stdout.write(
            json.dumps({"summary": {"suite": name, "skipped": True, "reason": reason}})
            if as_json
            else f"Skipped {name}: {reason}."
        )

    def _progress(self, text: str) -> None:
        self.stderr.write(text)


def _json_line(result: CaseResult) -> str:
    return json.dumps(
        {
            "id": result.case_id,
            "question": result.question,
            "outcome": result.outcome,
            "stage": result.stage,
            "detail": result.detail,
            "sql": result.sql,
            "run_id": result.run_id,
            "receipt_digest": result.receipt_digest,
            "elapsed_ms": round(result.elapsed_ms, 1),
        },
        ensure_ascii=False,
    )


def _text_line(result: CaseResult) -> str:
    where = f" at {result.stage}: {result.detail}" if result.stage else ""
    return f"{_MARKS.get(result.outcome, '?')} {result.outcome:<9} {result.case_id}  {result.question}{where}"


def _summary(graded: EvalReport, run_id: str) -> dict[str, Any]:
    by_slice = {part.name: _counts(part) for part in graded.slices}
    return {"summary": {**_counts(graded.total), "eval_run": run_id, "by_slice": by_slice}}


def _counts(part: SliceSummary) -> dict[str, Any]:
    return {
        "cases": part.cases,
        **{str(outcome): count for outcome, count in part.counts},
        "right_share": round(part.right.share, 4),
        "right_interval": [round(part.right.low, 4), round(part.right.high, 4)],
        "wrong_interval": [round(part.wrong.low, 4), round(part.wrong.high, 4)],
    }


def _text_summary(graded: EvalReport) -> str:
    return "\n".join(["", _text_counts(graded.total), *(_text_counts(part) for part in graded.slices)])


def _text_counts(part: SliceSummary) -> str:
    counts = ", ".join(f"{count} {outcome}" for outcome, count in part.counts if count or outcome == EvalOutcome.WRONG)
    low, high = f"{part.right.low:.0%}", f"{part.right.high:.0%}"
    return f"{part.name}: {part.cases} cases, {counts} (right {part.right.share:.0%}, 95% between {low} and {high})"
