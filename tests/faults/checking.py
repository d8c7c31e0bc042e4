"""What is true of the database after the faults: `python -m tests.faults.checking`; prints an object of findings."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any


def main() -> None:
    """Looks at every run of every workspace."""
    import django

    django.setup()
    from dataagent.runs import service
    from dataagent.runs.models import Manifest, Run, RunAttempt
    from dataagent.runs.states import TERMINAL

    runs = list(Run.rows.of_every_workspace().order_by("created_at"))
    ended = {s.value for s in TERMINAL}
    manifests = Counter(str(m) for m in Manifest.rows.of_every_workspace().values_list("run_id", flat=True))
    found: dict[str, Any] = {
        "ids": [str(r.id) for r in runs],
        "ends": dict(Counter(f"{r.state}: {r.reason}" for r in runs)),
        "unfinished": [str(r.id) for r in runs if r.state not in ended],
        "waiting": [str(r.id) for r in runs if r.state == "waiting_for_person"],
        "without_one_manifest": [str(r.id) for r in runs if r.state in ended and manifests[str(r.id)] != 1],
        "events_amiss": [str(r.id) for r in runs if not _events_fit(r, r.state in ended)],
        "attempts": dict(Counter(a.state for a in RunAttempt.rows.of_every_workspace())),
        "chains": {slug: verdict.ok for slug, verdict in service.audit()},
    }
    sys.stdout.write(json.dumps(found))


def _events_fit(run: Any, ended: bool) -> bool:
    """Whether events are numbered without a gap and tell the end once, last."""
    events = list(run.events.order_by("number").values_list("number", "kind"))
    numbered = [n for n, _ in events] == list(range(1, len(events) + 1)) == list(range(1, run.event_count + 1))
    finished = [n for n, kind in events if kind == "finished"]
    return numbered and finished == ([len(events)] if ended else [])


if __name__ == "__main__":
    main()
