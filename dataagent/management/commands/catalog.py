"""`manage.py catalog check FOLDER` and `manage.py catalog draft`: judge a catalog, or draft one from a warehouse."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.checks import check, is_error
from catalog.importers.own import load_folder
from catalog.issues import CatalogError, Issue, issue_line
from dataagent.errors import ShownError
from dataagent.management.catalog_draft import as_json, drafted, print_draft
from dataagent.warehouse import pool

TOLD_TABLES = 100
"""Of how many tables a line of progress is told."""


class Command(BaseCommand):
    """Checks a catalog folder, exits 1 where it cannot be used; or drafts one."""

    help = "Check the YAML of a catalog (errors and advice, each with file and line), or draft one from a warehouse."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        checking = actions.add_parser("check", help="tell errors and advice about a folder")
        checking.add_argument("folder", type=Path)
        drafting = actions.add_parser("draft", help="draft a catalog from names, types and constraints; no row is read")
        source = drafting.add_mutually_exclusive_group(required=True)
        source.add_argument("--warehouse", default="", help="a postgresql:// address or a DuckDB file")
        source.add_argument("--workspace", default="", help="the warehouse of this workspace")
        drafting.add_argument(
            "--schema", action="append", default=[], help="only tables of this schema; may be repeated"
        )
        drafting.add_argument("--descriptions", type=Path, help="JSON or YAML with texts about tables and columns")
        drafting.add_argument("--out", type=Path, help="the folder to write")
        drafting.add_argument("--replace", action="store_true", help="write over an earlier draft in that folder")
        for action in (checking, drafting):
            action.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["action"] == "draft":
            self._draft(options)
        else:
            self._check(options["folder"], as_json=options["as_json"])

    def _draft(self, options: dict[str, Any]) -> None:
        try:
            made = drafted(
                warehouse=options["warehouse"],
                workspace=options["workspace"],
                schemas=tuple(options["schema"]),
                descriptions=options["descriptions"],
                folder=options["out"],
                replace=options["replace"],
                progress=_telling(self.stderr.write),
            )
        except ShownError as error:
            raise CommandError(error.message) from error
        finally:
            pool.close_all()
        if options["as_json"]:
            self.stdout.write(as_json(made))
        else:
            print_draft(made, self.stdout.write, folder=options["out"])
        if any(is_error(i) for i in made.issues):
            raise SystemExit(1)

    def _check(self, folder: Path, *, as_json: bool) -> None:
        issues, digest = _checked(folder)
        broken = any(is_error(i) for i in issues)
        if as_json:
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


def _telling(write: Callable[[str], object]) -> Callable[[str, int, int], None]:
    """A progress that speaks once per hundred tables."""

    def progress(doing: str, done: int, whole: int) -> None:
        if whole > TOLD_TABLES and done % TOLD_TABLES == 0:
            write(f"{doing}: {done} of {whole} tables")

    return progress


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
