"""`manage.py runs`: what is going on, and one run as a document."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.errors import ShownError
from dataagent.management.printing import print_run
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.document import document, write
from dataagent.runs.replay import Replay, ReplayLevel
from dataagent.runs.service import operating
from dataagent.runs.service.replaying import replay
from dataagent.runs.troubles import OUTCOME_WORDS, WHAT_TO_DO, ActionOutcome, RunAction, trouble_facts
from dataagent.runs.types import RunView
from dataagent.warehouse import pool


class Command(BaseCommand):
    """Lists a person's conversations, or shows a run as that person sees it."""

    help = "List the runs of a user, or show one of them."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        listing = actions.add_parser("list", help="the runs of a user, newest conversation first")
        show = actions.add_parser("show", help="one run")
        show.add_argument("run")
        again = actions.add_parser("replay", help="what has changed since a run, and how it would be answered now")
        again.add_argument("run")
        again.add_argument("--level", choices=[level.value for level in ReplayLevel], default="behavioural")
        watch = actions.add_parser("watch", help="runs of the workspace that may need somebody, for admins")
        acting = [actions.add_parser(name, help=words) for name, words in ACTING.items()]
        for action in acting:
            action.add_argument("run")
        for action in (listing, show, again, watch, *acting):
            action.add_argument("--as", dest="user", required=True, help="who looks")
            action.add_argument("--workspace", default="demo")
            action.add_argument("--json", action="store_true", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            viewer = policy.principal(options["user"], options["workspace"])
            if options["action"] in OTHERS:
                OTHERS[options["action"]](self, viewer, options)
                return
            if options["action"] == "show":
                found: tuple[RunView, ...] = (service.run(viewer, options["run"]),)
            else:
                talks = service.sessions(viewer, limit=20)
                found = tuple(run for talk in talks for run in service.session_runs(viewer, talk.id))
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        finally:
            pool.close_all()
        if options["json"]:
            self.stdout.write(write([document(run) for run in found]))
        elif options["action"] == "show":
            print_run(found[0], self.stdout.write)
        else:
            for run in found:
                self.stdout.write(f"{run.created_at:%Y-%m-%d %H:%M}  {run.state:<20} {run.id}  {run.question[:60]}")

    def _replay(self, viewer: Principal, options: dict[str, Any]) -> None:
        """Prints a replay; exit code 3 where the run would be answered otherwise, or not on the same grounds."""
        found = replay(viewer, options["run"], ReplayLevel(options["level"]))
        if options["json"]:
            self.stdout.write(json.dumps({"replay": True, **asdict(found), "same": found.same()}))
        else:
            for line in _told(found):
                self.stdout.write(line)
        if found.answers or found.refused:
            sys.exit(3)

    def _watch(self, viewer: Principal, options: dict[str, Any]) -> None:
        """Prints what may need somebody; exit code 3 where anything is stuck, unknown or slow."""
        found = operating.troubles(viewer)
        if options["json"]:
            self.stdout.write(json.dumps([trouble_facts(t) for t in found.troubles]))
        else:
            for trouble in found.troubles:
                self.stdout.write(
                    f"{trouble.kind:<11} {trouble.run_id}  {trouble.state}, asked by {trouble.asker}, for"
                    f" {trouble.age_s:.0f} s. {WHAT_TO_DO[trouble.kind]}"
                )
            if found.more:
                self.stdout.write(f"And more: {', '.join(f'{count} {kind}' for kind, count in found.counts)}.")
            if not found.troubles:
                self.stdout.write("No run needs somebody.")
        if found.pressing():
            sys.exit(3)

    def _act(self, viewer: Principal, options: dict[str, Any]) -> None:
        """Does one thing about one run; exit code 3 where it is not known yet whether it is done."""
        action = RunAction(options["action"].replace("-", "_"))
        (done,) = operating.act(viewer, action, (options["run"],))
        words = f"The run {OUTCOME_WORDS[action, done.outcome]}."
        if options["json"]:
            words = json.dumps({"run_id": done.run_id, "outcome": done.outcome.value})
        self.stdout.write(words)
        if done.outcome is ActionOutcome.UNKNOWN:
            sys.exit(3)


ACTING = {
    "end": "end an open run of the workspace, for admins",
    "hand-over": "take a run from the worker that holds it and give it to another one, for admins",
    "reconcile": "cancel what a dead worker's query may still do, and say whether it is gone, for admins",
}
"""What admins do about one run."""

OTHERS: dict[str, Callable[[Command, Principal, dict[str, Any]], None]] = {
    "replay": Command._replay,
    "watch": Command._watch,
    **dict.fromkeys(ACTING, Command._act),
}
"""What is neither a list of runs nor one of them."""


def _told(found: Replay) -> list[str]:
    lines = [f"A replay of run {found.run_id} ({found.level}); it leaves no run, no receipt and no event."]
    lines += [f"Since then {c.part} changed: {c.name}: {c.then or 'none'} → {c.now or 'none'}" for c in found.grounds]
    if not found.grounds:
        lines.append("Nothing that it rested on has changed.")
    if found.refused:
        lines.append(found.refused)
    lines += [f"Now differs {c.part}: {c.name}: {c.then or 'none'} → {c.now or 'none'}" for c in found.answers or ()]
    return [*lines, "It is answered alike."] if found.same() else lines
