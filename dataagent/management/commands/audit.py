"""`manage.py audit verify | erase`: walks the hash chains of each workspace; erases old personal parts."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.runs import service
from dataagent.runs.chain import ChainVerdict


class Command(BaseCommand):
    """Verifies that no manifest and no entry of the audit was changed, removed or added."""

    help = "Check the hash chains of manifests, their signed receipts and the audit."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        verify = actions.add_parser("verify", help="check every manifest and receipt")
        verify.add_argument("--workspace", default="", help="one workspace; default: all")
        verify.add_argument("--json", action="store_true", help="print machine text")

        erase = actions.add_parser("erase", help="erase who and on what in old entries of refusals, readings, exports")
        erase.add_argument("--workspace", required=True)
        erase.add_argument("--older-than-days", type=int, required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] == "erase":
            self._erase(options["workspace"], options["older_than_days"])
            return
        try:
            found = list(service.audit(options["workspace"] or None))
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        ok = all(verdict.ok for _, verdict in found)
        if options["json"]:
            chains = [_facts(slug, verdict) for slug, verdict in found]
            first_bad = next((c for c in chains if not c["ok"]), None)
            self.stdout.write(json.dumps({"ok": ok, "first_bad": first_bad, "workspaces": chains}))
        else:
            for slug, verdict in found:
                self.stdout.write(_line(slug, verdict))
            if not found:
                self.stdout.write("Nothing has been asked yet; there is no chain to check.")
        if not ok:
            sys.exit(1)

    def _erase(self, slug: str, older_than_days: int) -> None:
        place = accounts.workspace(slug)
        if place is None:
            raise CommandError("There is no such workspace.", returncode=1)
        try:
            count = policy.erase_entries(place.id, older_than_days=older_than_days)
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        self.stdout.write(f"{slug}: {count} entries lost their personal part; the chain still holds.")


def _facts(slug: str, verdict: ChainVerdict) -> dict[str, Any]:
    return {
        "workspace": slug,
        "ok": verdict.ok,
        "links": verdict.links,
        "entries": verdict.entries,
        "first_bad_position": verdict.position,
        "code": verdict.code,
        "message": verdict.message,
    }


def _line(slug: str, verdict: ChainVerdict) -> str:
    if verdict.ok:
        return f"{slug}: ok, {verdict.links} manifests in an unbroken chain, {verdict.entries} entries of the audit."
    return f"{slug}: broken at position {verdict.position}. {verdict.message}"
