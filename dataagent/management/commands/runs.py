"""`manage.py runs`: what is going on, and one run as a document."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.errors import ShownError
from dataagent.management.printing import print_run
from dataagent.policy import service as policy
from dataagent.runs import service
from dataagent.runs.document import document, write
from dataagent.runs.types import RunView


class Command(BaseCommand):
    """Lists a person's conversations, or shows a run as that person sees it."""

    help = "List the runs of a user, or show one of them."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        listing = actions.add_parser("list", help="the runs of a user, newest conversation first")
        show = actions.add_parser("show", help="one run")
        show.add_argument("run")
        for action in (listing, show):
            action.add_argument("--as", dest="user", required=True, help="who looks")
            action.add_argument("--workspace", default="demo")
            action.add_argument("--json", action="store_true", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            viewer = policy.principal(options["user"], options["workspace"])
            if options["action"] == "show":
                found: tuple[RunView, ...] = (service.run(viewer, options["run"]),)
            else:
                talks = service.sessions(viewer, limit=20)
                found = tuple(run for talk in talks for run in service.session_runs(viewer, talk.id))
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        if options["json"]:
            self.stdout.write(write([document(run) for run in found]))
        elif options["action"] == "show":
            print_run(found[0], self.stdout.write)
        else:
            for run in found:
                self.stdout.write(f"{run.created_at:%Y-%m-%d %H:%M}  {run.state:<20} {run.id}  {run.question[:60]}")
