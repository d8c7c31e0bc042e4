"""`manage.py catalog check|import|export|publish|draft`: judge, read, write, publish or draft a catalog."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.checks import is_error
from dataagent.errors import ShownError
from dataagent.management.catalog_draft import as_json, drafted, print_draft
from dataagent.management.catalog_exchange import Exchange, add_actions
from dataagent.warehouse import pool

TOLD_TABLES = 100
"""Of how many tables a line of progress is told."""


class Command(BaseCommand):
    """Exits 1 where a catalog cannot be used."""

    help = "Check, read, write or publish a catalog in any format, or draft one from a warehouse."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        add_actions(actions)
        drafting = actions.add_parser("draft", help="draft a catalog from names, types and constraints")
        source = drafting.add_mutually_exclusive_group(required=True)
        source.add_argument("--warehouse", default="", help="a postgresql:// address or a DuckDB file")
        source.add_argument("--workspace", default="", help="the warehouse of this workspace")
        drafting.add_argument(
            "--schema", action="append", default=[], help="only tables of this schema; may be repeated"
        )
        drafting.add_argument("--descriptions", type=Path, help="JSON or YAML with texts about tables and columns")
        drafting.add_argument("--out", type=Path, help="the folder to write")
        drafting.add_argument("--replace", action="store_true", help="write over an earlier draft in that folder")
        drafting.add_argument(
            "--observe",
            action="store_true",
            help="count in the data for keys that no constraint declares; without it, no row is read",
        )
        drafting.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["action"] == "draft":
            self._draft(options)
            return
        try:
            usable = Exchange(options, self.stdout.write, self.stderr.write).run()
        except ShownError as error:
            raise CommandError(f"{error.message} {error.action}".strip()) from error
        if not usable:
            raise SystemExit(1)

    def _draft(self, options: dict[str, Any]) -> None:
        try:
            made = drafted(
                warehouse=options["warehouse"],
                workspace=options["workspace"],
                schemas=tuple(options["schema"]),
                descriptions=options["descriptions"],
                folder=options["out"],
                replace=options["replace"],
                observe=options["observe"],
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


def _telling(write: Callable[[str], object]) -> Callable[[str, int, int], None]:
    """A progress that speaks once per hundred tables."""

    def progress(doing: str, done: int, whole: int) -> None:
        if whole > TOLD_TABLES and done % TOLD_TABLES == 0:
            write(f"{doing}: {done} of {whole} tables")

    return progress
