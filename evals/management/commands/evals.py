"""`manage.py evals run SUITE`, `--defog DIR` or `--time DIR`: asks of the real product and grades what it says."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dataagent.errors import ShownError
from dataagent.policy import service as policy
from evals import service
from evals.cases import CaseError
from evals.report import report
from evals.service import registry
from evals.service.drafted import TODAY, FrozenCatalog, run_databases
from evals.service.phrases import read_phrases
from evals.service.scratch import SERVER, answers
from evals.timephrases import Verdict
from evals.types import CaseResult, EvalOutcome, EvalReport, SliceSummary

EVALUATOR = "evaluator"
_MARKS = {EvalOutcome.RIGHT: "✓", EvalOutcome.WRONG: "✗", EvalOutcome.FAILED: "!"}


class Command(BaseCommand):
    """Runs golden suites.  Exits 1 when an answer was wrong or a run broke off."""

    help = "Ask a suite's questions and grade the answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        run = actions.add_parser("run", help="run one suite")
        run.add_argument("suite", nargs="?", help="demo, acme or acme_twin")
        run.add_argument("--defog", type=Path, metavar="DIR", help="a folder of databases with questions, instead")
        run.add_argument("--time", type=Path, metavar="DIR", help="a folder of time phrases, instead")
        run.add_argument("--server", default=SERVER, help="with --defog: a PostgreSQL login that may make databases")
        run.add_argument(
            "--db", "--database", action="append", default=[], help="with --defog: this one only; repeatable"
        )
        run.add_argument(
            "--names-only", action="store_true", help="with --defog: draft without counting in the data for keys"
        )
        run.add_argument("--today", type=date.fromisoformat, default=TODAY, help="with --defog: the day of asking")
        run.add_argument("--questions", type=Path, help="another question file of the same form")
        run.add_argument("--json", action="store_true", help="one JSON object per case, then the summary")

    def handle(self, *_: Any, **options: Any) -> None:
        if sum(options[what] is not None for what in ("suite", "defog", "time")) != 1:
            raise CommandError("Name one suite, a folder of databases with --defog, or of time phrases with --time.")
        try:
            if options["time"] is not None:
                self._read_phrases(options["time"], as_json=options["json"])
            elif options["defog"] is not None:
                self._run_databases(options)
            else:
                self._run(options["suite"], options["questions"], as_json=options["json"])
        except CaseError as error:
            raise CommandError("\n".join(error.complaints)) from error
        except ShownError as error:
            raise CommandError(" ".join(part for part in (error.message, error.action) if part)) from error

    def _run(self, name: str, questions: Path | None, *, as_json: bool) -> None:
        found = registry.source(name)
        if found.public and not found.path.parent.is_dir():
            self._skip(
                name, "its data are not on this machine (set DATAAGENT_SUITES to where they lie)", as_json=as_json
            )
            return
        registry.prepare(found, self._progress)
        evaluator = policy.principal(EVALUATOR, found.workspace)
        run_id, suite = service.begin(evaluator, registry.read(found, questions))
        results = []
        for result in service.work(evaluator, run_id, suite):
            results.append(result)
            self.stdout.write(_json_line(result) if as_json else _text_line(result))
        self._finish(results, {"eval_run": run_id}, as_json=as_json)

    def _run_databases(self, options: dict[str, Any]) -> None:
        folder, as_json = options["defog"], options["json"]
        if not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.")
        if not answers(options["server"]):
            self._skip(folder.name, "no PostgreSQL answers there (say where with --server)", as_json=as_json)
            return
        catalogs, results = {}, []
        only, observe = tuple(options["db"]), not options["names_only"]
        for part in run_databases(folder, options["server"], today=options["today"], only=only, observe=observe):
            if isinstance(part, FrozenCatalog):
                catalogs[part.database] = part.digest
                self.stdout.write(_catalog_line(part, as_json=as_json))
            else:
                results.append(part)
                self.stdout.write(_json_line(part) if as_json else _text_line(part))
        about = {
            "suite": folder.name,
            "today": options["today"].isoformat(),
            "drafted_by": "names, types, constraints" + (" and counts of keys in the data" if observe else ""),
            "catalogs": catalogs,
        }
        self._finish(results, about, as_json=as_json)

    def _read_phrases(self, folder: Path, *, as_json: bool) -> None:
        """Counts by corpus and convention, and every phrase that none explains; the command fails on such a one."""
        counts: dict[str, Counter[str]] = {}
        for case, found, read in read_phrases(folder):
            counts.setdefault(case.corpus, Counter())[found] += 1
            if as_json or found is Verdict.WRONG:
                window = [str(day) if day else None for day in read.window] if read else None
                line = {"corpus": case.corpus, "phrase": case.phrase, "verdict": found, "window": window}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        if as_json:
            self.stdout.write(json.dumps({"summary": counts}))
        else:
            self.stdout.write(_text_of_counts(counts))
        if any(held[Verdict.WRONG] for held in counts.values()):
            sys.exit(1)

    def _finish(self, results: list[CaseResult], about: dict[str, Any], *, as_json: bool) -> None:
        """The summary; the command fails where an answer was wrong or a case broke off."""
        graded = report(results)
        self.stdout.write(json.dumps(_summary(graded, about)) if as_json else _text_summary(graded))
        if graded.total.count(EvalOutcome.WRONG) or graded.total.count(EvalOutcome.FAILED):
            sys.exit(1)

    def _skip(self, name: str, reason: str, *, as_json: bool) -> None:
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


def _summary(graded: EvalReport, about: dict[str, Any]) -> dict[str, Any]:
    by_slice = {part.name: _counts(part) for part in graded.slices}
    return {"summary": {**_counts(graded.total), **about, "by_slice": by_slice}}


def _catalog_line(found: FrozenCatalog, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"catalog": asdict(found)})
    held = f"{found.models} models, {found.metrics} metrics, {found.dimensions} dimensions"
    return f"Drafted {found.database} ({held}) and frozen as {found.digest}"


def _text_of_counts(counts: dict[str, Counter[str]]) -> str:
    lines = []
    for corpus, held in counts.items():
        lines += ["", f"{corpus}: {held.total()} phrases, {held[Verdict.WRONG]} {Verdict.WRONG}"]
        lines += [f"  {held[v]:>4}  {v}" for v in Verdict if held[v]]
    return "\n".join(lines)


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
