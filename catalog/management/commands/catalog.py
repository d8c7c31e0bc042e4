"""`manage.py catalog check FOLDER [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from catalog.checks import check, is_error
from catalog.importers.own import load_folder
from catalog.issues import CatalogError, Issue, issue_line


class Command(BaseCommand):
    """Checks a catalog folder; exits 1 where it cannot be used."""

    help = "Check the YAML of a catalog: errors and advice, each with file and line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check"])
        parser.add_argument("folder", type=Path)
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        issues, digest = _checked(options["folder"])
        broken = any(is_error(i) for i in issues)
        if options["as_json"]:
            shown = [_as_json(i) for i in issues]
            self.stdout.write(json.dumps({"ok": not broken, "digest": digest, "issues": shown}))
        else:
            for issue in issues:
                self.stdout.write(f"{'error' if is_error(issue) else 'advice'}: {issue_line(issue)}")
            self.stdout.write(
                "The catalog cannot be used yet." if broken else f"The catalog is usable ({digest[:12]})."
            )
        if broken:
            raise SystemExit(1)


def _checked(folder: Path) -> tuple[tuple[Issue, ...], str]:
    try:
        snapshot = load_folder(folder)
    except CatalogError as bad:
        return bad.issues, ""
    return check(snapshot), snapshot.digest


def _as_json(issue: Issue) -> dict[str, object]:
    return {
        "code": issue.code.value,
        "error": is_error(issue),
        "message": issue.message,
        "subject": issue.subject,
        "choices": list(issue.choices),
        "file": issue.source.file if issue.source else None,
        "line": issue.source.line if issue.source else None,
    }
