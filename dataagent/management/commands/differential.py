"""`manage.py differential SUITE_DIR --peer-python PATH`: random metric queries, ours beside MetricFlow's."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.management.differential.run import Given, run
from dataagent.management.differential.verdict import Outcome, Verdict
from dataagent.management.peers import PeerFailed

_FINE = frozenset({Outcome.EQUAL, Outcome.BOTH_REFUSE, Outcome.BOTH_FAIL, Outcome.UNDECIDED, Outcome.KNOWN_FAULT})


class Command(BaseCommand):
    """Prints each query on which the two sides do not agree, and how many there were of each kind."""

    help = "Compile random metric queries with MetricFlow beside us, run both, and compare the rows."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", type=Path, help="a folder with manifests/ and tables/")
        parser.add_argument(
            "--peer-python", type=Path, required=True, help="an interpreter with requirements/bench.lock"
        )
        parser.add_argument("--queries", type=int, default=200, help="queries for each manifest (200)")
        parser.add_argument("--seed", type=int, default=1, help="another number, other queries")
        parser.add_argument("--manifest", action="append", default=[], help="only this one; may be given several times")
        parser.add_argument("--more-rows", type=int, default=0, help="random rows to add to each table of facts (0)")
        parser.add_argument("--invented", type=int, default=0, help="random metrics to add to each manifest (0)")
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="one JSON object per query, with both texts"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        suite: Path = options["suite"]
        missing = [n for n in ("manifests", "tables") if not (suite / n).is_dir()]
        if missing:
            raise CommandError(f"{suite} has no folder {missing[0]}; give the folder that holds it.")
        given = Given(
            suite=suite,
            peer_python=options["peer_python"],
            count=options["queries"],
            seed=options["seed"],
            manifests=tuple(options["manifest"]),
            more_rows=options["more_rows"],
            invented=options["invented"],
        )
        kinds: Counter[Outcome] = Counter()
        try:
            for manifest, verdict in run(given):
                kinds[verdict.outcome] += 1
                if options["as_json"]:
                    self.stdout.write(json.dumps(_whole(manifest, verdict)))
                elif verdict.outcome not in _FINE:
                    self.stdout.write(_line(manifest, verdict))
        except PeerFailed as failed:
            raise CommandError(str(failed)) from failed
        self.stdout.write(json.dumps({"summary": {"queries": kinds.total(), **{o.value: kinds[o] for o in Outcome}}}))
        if kinds[Outcome.DIFFERENT] or kinds[Outcome.OURS_FAILS]:
            sys.exit(1)


def _whole(manifest: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "manifest": manifest,
        "outcome": verdict.outcome,
        "asked": verdict.asked.told(),
        "told": verdict.told,
        "ours": verdict.ours,
        "theirs": verdict.theirs,
    }


def _line(manifest: str, verdict: Verdict) -> str:
    told = verdict.told.partition("\n")[0]
    return f"{verdict.outcome:<13}{manifest} {json.dumps(verdict.asked.told())}: {told}"
