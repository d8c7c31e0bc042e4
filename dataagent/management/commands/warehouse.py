"""`manage.py warehouse set | list | forget | rotate`: where workspaces' warehouses are, kept sealed."""

from __future__ import annotations

import getpass
import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.accounts import service as accounts
from dataagent.accounts.service import warehouses
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability
from dataagent.warehouse.address import AddressError, target_of


class Command(BaseCommand):
    """Keeps addresses of PostgreSQL warehouses.  A login is typed or piped in, never an argument, never printed."""

    help = "Keep, list and forget the addresses of workspaces' warehouses; seal them with a new key."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in (("set", "keep an address, read from the standard input"), ("forget", "forget an address")):
            action = actions.add_parser(name, help=words)
            action.add_argument("workspace")
            action.add_argument("--as", dest="user", required=True, help="an admin of the workspace")
        listed = actions.add_parser("list", help="tell where the kept warehouses are, without their logins")
        listed.add_argument("--json", action="store_true", help="print machine text")
        rotate = actions.add_parser("rotate", help="seal every kept address with the first key")
        rotate.add_argument("--new-key", action="store_true", help="make a new key in the file of keys first")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except AddressError as error:
            raise CommandError(str(error), returncode=1) from None
        except ShownError as error:
            raise CommandError(f"{error.message} {error.action}".strip(), returncode=1) from error

    def _set(self, options: dict[str, Any]) -> None:
        workspace_id = _permitted(options)
        url = getpass.getpass("Address: ") if sys.stdin.isatty() else sys.stdin.readline()
        target = target_of(url.strip())
        warehouses.keep_warehouse(workspace_id, url.strip(), shown=target.shown)
        self.stdout.write(f"{options['workspace']} reads {target.shown}; the login is kept sealed.")

    def _forget(self, options: dict[str, Any]) -> None:
        if not warehouses.forget_warehouse(_permitted(options)):
            raise ShownError("not_found", "No address is kept for this workspace.")
        self.stdout.write(f"The address for {options['workspace']} is forgotten.")

    def _list(self, options: dict[str, Any]) -> None:
        found = warehouses.warehouse_places()
        if options["json"]:
            self.stdout.write(json.dumps([{"workspace": p.workspace, "warehouse": p.shown} for p in found]))
            return
        for place in found:
            self.stdout.write(f"{place.workspace}: {place.shown}")
        if not found:
            self.stdout.write("No address is kept.")

    def _rotate(self, options: dict[str, Any]) -> None:
        count = warehouses.reseal_warehouses(with_new_key=options["new_key"])
        self.stdout.write(f"{count} addresses were sealed again; the older keys can go.")


def _permitted(options: dict[str, Any]) -> int:
    """The workspace's id, for who may administer it.  Raises: ShownError."""
    place = accounts.workspace(options["workspace"])
    if place is None:
        raise ShownError("not_found", "There is no such workspace.")
    who = policy.principal(options["user"], place.slug)
    with policy.refusals_told(who, route="manage.py warehouse"):
        permit(who, Capability.ADMINISTER)
    return place.id
