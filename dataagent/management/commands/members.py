"""`manage.py members refresh|show|cancel`: read the members of dimensions again, tell how that goes, or end it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.accounts import service as accounts
from dataagent.management.signals import stop_event
from dataagent.runs.service import memberupkeep
from dataagent.runs.service.memberupkeep import Upkept
from dataagent.warehouse import pool

PRIORITY = 10
"""What is read for later gives way to what is asked now."""


class Command(BaseCommand):
    """Exits 1 where a reading went wrong."""

    help = "Read the members of dimensions (the values that questions may name) from the warehouse."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        refresh = actions.add_parser("refresh", help="read them now, unless another process does")
        refresh.add_argument("--due", action="store_true", help="only where it is due")
        refresh.add_argument("--parent", type=int, default=0, help="stop when this process is no longer the parent")
        show = actions.add_parser("show", help="what is kept, and how the last reading went")
        cancel = actions.add_parser("cancel", help="end a reading; the members read before stay")
        for action in (refresh, show, cancel):
            action.add_argument("--workspace", default="", help="only this one")
            action.add_argument("--json", action="store_true", dest="as_json", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        slugs = (options["workspace"],) if options["workspace"] else pool.known()
        if options["action"] == "refresh":
            self._refresh(slugs, options)
            return
        for slug in slugs:
            place = accounts.workspace(slug)
            if place is None:
                if options["workspace"]:
                    raise CommandError("There is no such workspace.")
                continue
            if options["action"] == "cancel":
                self.stdout.write(f"{slug}: {'is being ended' if memberupkeep.cancel(place.id) else 'nothing goes on'}")
            else:
                self._show(slug, place.id, options["as_json"])

    def _refresh(self, slugs: tuple[str, ...], options: dict[str, Any]) -> None:
        os.nice(PRIORITY)
        quiet = options["as_json"] or options["due"]
        progress = _Progress(lambda line: None if quiet else self.stderr.write(line), options["parent"])
        try:
            if options["due"]:
                done = memberupkeep.refresh_due(progress)
            else:
                done = tuple(memberupkeep.refresh(slug, anyway=True, progress=progress) for slug in slugs)
        finally:
            pool.close_all()
        for one in done:
            self.stdout.write(_line(one, as_json=options["as_json"]))
        if any(one.fault for one in done):
            raise SystemExit(1)

    def _show(self, slug: str, workspace_id: int, as_json: bool) -> None:
        state, lists = memberupkeep.upkeep_of(workspace_id), memberupkeep.lists_of(workspace_id)
        told = {
            "workspace": slug,
            "going": bool(state and state.going),
            "doing": state.doing if state else "",
            "done_members": state.done_members if state else 0,
            "finished_at": state.finished_at.isoformat() if state and state.finished_at else None,
            "due_at": state.due_at.isoformat() if state else None,
            "failures": state.failures if state else 0,
            "fault": state.fault if state else "",
            "lists": [
                {"sight": f.sight[:12], "members": f.members, "size_bytes": f.size_bytes, "left_out": f.left_out,
                 "read_at": f.read_at.isoformat()}
                for f in lists
            ],
        }  # fmt: skip
        if as_json:
            self.stdout.write(json.dumps(told))
            return
        self.stdout.write(f"{slug}: last read {told['finished_at'] or 'never'}, due {told['due_at'] or 'now'}")
        if told["fault"]:
            self.stdout.write(f"  {told['fault']}")
        if told["going"]:
            self.stdout.write(f"  reading {told['doing']}: {told['done_members']:,} members")
        for facts in lists:
            left = f", without {', '.join(facts.left_out)}" if facts.left_out else ""
            self.stdout.write(
                f"  sight {facts.sight[:12]}: {facts.members:,} members, {facts.size_bytes:,} bytes{left}"
            )


class _Progress:
    """Tells how far a reading is, and ends it at a signal, or when the parent process is gone."""

    def __init__(self, write: Callable[[str], object], parent: int) -> None:
        self._write, self._parent, self._stop = write, parent, stop_event()

    def __call__(self, doing: str, members: int) -> None:
        if self._stop.is_set() or (self._parent and os.getppid() != self._parent):
            raise memberupkeep.Ended("The process that read was told to stop; another one will go on.", rest_s=0)
        self._write(f"{doing}: {members:,} members")


def _line(done: Upkept, *, as_json: bool) -> str:
    if as_json:
        told = {"workspace": done.workspace, "claimed": done.claimed, "sights": done.sights, "members": done.members}
        return json.dumps({**told, "fault": done.fault})
    if done.fault:
        return f"{done.workspace}: {done.fault}"
    if not done.claimed:
        return f"{done.workspace}: another process reads them now"
    return f"{done.workspace}: {done.members:,} members for {done.sights} kinds of sight"
