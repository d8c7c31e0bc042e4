"""`manage.py demo load`: builds a demo workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.errors import ShownError
from dataagent.management.preparing import prepare_acme, prepare_database, prepare_demo


class Command(BaseCommand):
    """Loads demo data; doing it again changes nothing."""

    help = "Load demo data: the store (demo, with its second workspace other) or the insurance company (acme)."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        load = actions.add_parser("load", help="build a workspace")
        load.add_argument("name", nargs="?", default="demo", choices=["demo", "other", "acme"])
        load.add_argument("--folder", default="", help="folder of the suites that acme's CSV files lie in")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            prepare_database(self.stdout.write)
            if options["name"] == "acme":
                prepare_acme(self.stdout.write, Path(options["folder"]) if options["folder"] else None)
            else:
                prepare_demo(self.stdout.write)
        except ShownError as error:
            raise CommandError(error.message, returncode=1) from error
        self.stdout.write(f"The workspace {options['name']} is ready.")
