"""`manage.py serve`: the whole product with one command."""

from __future__ import annotations

import errno
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from dataagent.accounts import service as accounts
from dataagent.apps import reasons_not_to_start
from dataagent.errors import ShownError
from dataagent.management.preparing import prepare_database, prepare_demo
from dataagent.management.serving import AnnouncingServer, WorkerChild, check_port
from dataagent.warehouse import pool

GRACE_S = 3


class Command(BaseCommand):
    """Prepares, starts a worker and the web server, and leaves nothing running."""

    help = "Start the product: prepare it, start a worker and the web server. Ctrl-C ends everything."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="prepare the demo company first")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, **options: Any) -> None:
        signal.signal(signal.SIGTERM, _as_interrupt)
        try:
            self._serve(options)
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise CommandError("The disk is full. Make room and start again.", returncode=1) from error
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        finally:
            pool.close_all()
            connection.close()

    def _serve(self, options: dict[str, Any]) -> None:
        check_port(options["host"], options["port"])
        prepare_database(self._say)
        if options["demo"]:
            prepare_demo(self._say)
        if reasons := reasons_not_to_start():
            raise ShownError("unavailable", "\n".join(reasons))
        welcome = self._welcome(options)
        connection.close()
        self._say("Starting a worker")
        worker = WorkerChild()
        try:
            _run_web(options["host"], options["port"], ready=lambda: self._write(welcome))
        finally:
            self.stdout.write("Stopping; the worker finishes its question first.")
            worker.stop()
        self.stdout.write("Stopped.")

    def _say(self, line: str) -> None:
        self.stdout.write(f"  {line} …")
        self.stdout.flush()

    def _write(self, lines: list[str]) -> None:
        self.stdout.write("\n".join(lines))
        self.stdout.flush()

    def _welcome(self, options: dict[str, Any]) -> list[str]:
        host = f"[{options['host']}]" if ":" in options["host"] else options["host"]
        lines = [f"\nReady: http://{host}:{options['port']}/"]
        members = accounts.demo_members() if settings.DEMO else ()
        if members:
            lines.append("Demo sign-ins, without a password, at /sign-in/:")
            lines += [f"  {member.account.username:<14} {member.account.name}" for member in members]
        return [*lines, "Press Ctrl-C to stop."]


def _run_web(host: str, port: int, *, ready: Callable[[], None]) -> None:
    """Serves until SIGINT or SIGTERM; `ready` is called once it accepts connections, and open streams
    are closed after a short grace."""
    config = uvicorn.Config(
        "dataagent.asgi:application",
        host=host,
        port=port,
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_S,
    )
    AnnouncingServer(config, ready).run()


def _as_interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
