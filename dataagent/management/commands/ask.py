"""`manage.py ask`: a question from the command line, answered in this process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import date
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from dataagent.errors import ShownError
from dataagent.management.preparing import is_prepared, prepare_acme, prepare_database, prepare_demo
from dataagent.management.printing import print_run
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.document import EXIT_CODES, decision, document, write
from dataagent.runs.types import RunState, RunView
from dataagent.warehouse import pool

REFUSALS = frozenset({"not_permitted", "not_signed_in"})
OTHERS_WAIT_S = 120.0


class Command(BaseCommand):
    """Asks as a user; exits 0 answer, 2 clarify, 3 abstain, 4 deny, 5 failure."""

    help = "Ask a question as a user. Exit codes: 0 answer, 2 clarify, 3 abstain, 4 deny, 5 failure."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--as", dest="user", required=True, help="who asks")
        parser.add_argument("--workspace", default="demo")
        parser.add_argument("--at", default="", help="the question's day, as 2025-06-18")
        parser.add_argument("--session", default="", help="go on with this conversation")
        parser.add_argument("--choose", type=int, default=0, help="take this option if the question is asked back")
        parser.add_argument("--json", action="store_true", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            run = _asked(options, say=self.stderr.write)
        except ShownError as error:
            self._fail(error, options)
        finally:
            pool.close_all()
        if options["json"]:
            self.stdout.write(write(document(run)))
        else:
            print_run(run, self.stdout.write)
        sys.exit(EXIT_CODES.get(decision(run), EXIT_CODES["failure"]))

    def _fail(self, error: ShownError, options: dict[str, Any]) -> NoReturn:
        message = f"{error.message} {error.action}".strip()
        outcome = "deny" if error.code in REFUSALS else "failure"
        if options["json"]:
            self.stdout.write(write({"decision": outcome, "headline": message, "reason": error.code}))
            sys.exit(EXIT_CODES[outcome])
        raise CommandError(message, returncode=EXIT_CODES[outcome])


def _asked(options: dict[str, Any], say: Callable[[str], object]) -> RunView:
    _prepared(options["workspace"], say)
    today = _day(options["at"])
    asker = policy.principal(options["user"], options["workspace"])
    with policy.refusals_told(asker, route="manage.py ask"):
        return _run_of(asker, options, today)


def _run_of(asker: Principal, options: dict[str, Any], today: date | None) -> RunView:
    """The run after work: of a new question, or of the one that waits for the choice that is given."""
    waiting = _waiting(asker, options["session"]) if options["choose"] and options["session"] else None
    if waiting is None:
        run = service.start_run(
            asker, options["question"], session_id=options["session"] or None, today=today, door="cli"
        )
        run = _ended(asker, run)
    else:
        run = waiting
    if options["choose"] and run.state is RunState.WAITING_FOR_PERSON:
        run = _ended(asker, service.start_run(asker, "", choice_of=(run.id, options["choose"] - 1)))
    return run


def _waiting(asker: Principal, session_id: str) -> RunView | None:
    """The session's question that waits for a choice, or None."""
    runs = service.session_runs(asker, session_id)
    return runs[-1] if runs and runs[-1].state is RunState.WAITING_FOR_PERSON else None


def _ended(asker: Principal, run: RunView) -> RunView:
    """The run after work: done here, or by a worker that was quicker."""
    from dataagent.runs.service.machine import MACHINE, worker_name
    from dataagent.runs.service.working import claim_and_work

    claim_and_work(worker_name("/ask"), MACHINE, run_id=run.id)
    until = time.monotonic() + OTHERS_WAIT_S
    while (seen := service.run(asker, run.id)).state in (RunState.QUEUED, RunState.RUNNING):
        if time.monotonic() > until:
            raise ShownError("unavailable", "No worker has answered in time.", action="Try again.")
        time.sleep(0.1)
    return seen


def _prepared(workspace: str, say: Callable[[str], object]) -> None:
    """Makes sure that database and workspace are there; quiet where they are."""
    if not _has_tables():
        prepare_database(say)
    if is_prepared(workspace):
        return
    if workspace in ("demo", "other"):
        prepare_demo(say)
    elif workspace == "acme":
        prepare_acme(say)


def _has_tables() -> bool:
    """Whether every migration has been applied."""
    from django.db.migrations.executor import MigrationExecutor

    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ShownError("invalid_input", f"--at must be a day like 2025-06-18, not {text}.") from error
