"""`manage.py receipts`: check a receipt file, or print the public key that checks it.  Needs no database."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.errors import ShownError
from dataagent.runs import receipt
from dataagent.runs.receipt import Verdict
from dataagent.runs.service import keys


class Command(BaseCommand):
    """Verifies receipts offline."""

    help = "Check a receipt file without the database, or print the public key."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        verify = actions.add_parser("verify", help="check a receipt file")
        verify.add_argument("file", help="the receipt file; - reads the standard input")
        verify.add_argument("--key", default="", help="public key file (PEM); default: this product's own keys")
        verify.add_argument("--json", action="store_true", help="print machine text")
        actions.add_parser("key", help="print this product's public key")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            if options["action"] == "key":
                self.stdout.write(keys.public_pem(), ending="")
                return
            verdict = _verdict(options["file"], options["key"])
        except ShownError as error:
            verdict = Verdict(ok=False, code=error.code, message=error.message)
        self._print(verdict, as_json=bool(options.get("json")))

    def _print(self, verdict: Verdict, *, as_json: bool) -> None:
        facts = _facts(verdict)
        if as_json:
            self.stdout.write(json.dumps(facts, ensure_ascii=False))
        elif verdict.ok:
            self.stdout.write(verdict.message)
            for name in ("workspace", "run", "audience", "issued_at", "sequence", "manifest_digest"):
                self.stdout.write(f"  {name.replace('_', ' ')}: {facts[name]}")
        else:
            raise CommandError(verdict.message, returncode=1)
        if not verdict.ok:
            sys.exit(1)


def _verdict(file: str, key_file: str) -> Verdict:
    trusted = keys.public_keys()
    if key_file:
        key = keys.public_key(Path(key_file))
        trusted = {receipt.key_id(key): key}
    return receipt.verify(_read(file), trusted)


def _read(file: str) -> bytes:
    """At most one byte more than a receipt may have, so that a huge file is told and not read."""
    if file == "-":
        return sys.stdin.buffer.read(receipt.MAX_BYTES + 1)
    try:
        with Path(file).open("rb") as opened:
            return opened.read(receipt.MAX_BYTES + 1)
    except IsADirectoryError as error:
        raise ShownError("not_found", f"{file} is a folder, not a receipt file.") from error
    except OSError as error:
        raise ShownError("not_found", f"{file} cannot be read: {error.strerror}.") from error


def _facts(verdict: Verdict) -> dict[str, Any]:
    payload = verdict.payload or {}
    chain = payload.get("chain", {})
    return {
        "ok": verdict.ok,
        "code": verdict.code,
        "message": verdict.message,
        "first_bad_position": verdict.position or None,
        "workspace": payload.get("workspace"),
        "run": payload.get("run"),
        "audience": payload.get("audience"),
        "issued_at": payload.get("issued_at"),
        "sequence": chain.get("sequence"),
        "manifest_digest": chain.get("digest"),
    }
