"""`manage.py worker`: works on questions."""

from __future__ import annotations

import os
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from dataagent.apps import reasons_not_to_start
from dataagent.management.memberkeeper import MemberKeeper
from dataagent.management.signals import stop_event
from dataagent.management.worker import Worker
from dataagent.warehouse import pool


class Command(BaseCommand):
    """Works on runs until it is told to stop."""

    help = "Work on questions. Several workers may run; each finishes its run when told to stop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--threads", type=int, default=2, help="how many questions at a time (default 2)")
        parser.add_argument("--warm", default="", help="a workspace whose first question shall be quick")
        parser.add_argument("--parent", type=int, default=0, help="stop when this process is no longer the parent")

    def handle(self, *_args: Any, **options: Any) -> None:
        from dataagent.runs.service.machine import MACHINE, worker_name
        from dataagent.runs.tasks import HUNG_S

        if reasons := reasons_not_to_start():
            raise CommandError("\n".join(reasons))
        parent: int = options["parent"]
        if options["warm"]:
            threading.Thread(target=_warm, args=(options["warm"],), name="warming", daemon=True).start()
        stop = stop_event()
        worker = Worker(
            MACHINE,
            worker_name(),
            threads=max(1, options["threads"]),
            stop=stop,
            longest_s=settings.RUN_TIMEOUT_S + HUNG_S,
        )
        keeper = MemberKeeper(stop)
        keeper.start()
        try:
            worker.run(
                ready=lambda: self.stdout.write("The worker is ready."),
                alive=lambda: not parent or os.getppid() == parent,
            )
        finally:
            stop.set()
            keeper.join()
            pool.close_all()


def _warm(workspace: str) -> None:
    from dataagent.runs.service.warming import warm

    try:
        warm(workspace)
    finally:
        connection.close()
