"""`manage.py policy …`: look at a policy and at what it would do, bring it into force, or begin one from an engine."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.accounts.types import WorkspaceInfo
from dataagent.errors import ShownError
from dataagent.policy import service
from dataagent.policy.document import PolicyDocument, PolicyError, parse_policy
from dataagent.policy.doors import permit
from dataagent.policy.effects import PolicyEffect, effects, unknown_names
from dataagent.policy.grants import imported
from dataagent.policy.principal import Capability
from dataagent.sqlguard.schema import TableSchema
from dataagent.warehouse.grants_postgres import grants_at
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault


class Command(BaseCommand):
    """Policy as code: checked, compared person by person, applied by somebody who may."""

    help = "Validate a policy file, tell who would gain and lose what, bring it into force."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in (
            ("validate", "tell every fault with file and line"),
            ("diff", "tell who would gain and lose what"),
            ("apply", "make it the policy in force"),
        ):
            action = actions.add_parser(name, help=words)
            action.add_argument("file", type=Path)
            action.add_argument("--json", action="store_true", help="print machine text")
            if name != "validate":
                action.add_argument("--workspace", default=accounts.DEMO_WORKSPACE)
            if name == "apply":
                action.add_argument("--as", dest="user", default="", help="an admin; not needed for the first policy")

        action = actions.add_parser("import-grants", help="write a policy of what a PostgreSQL database grants")
        action.add_argument("address", help="postgresql://user:password@host:5432/name")
        action.add_argument("--role", action="append", default=[], help="only this role; may be given again")
        action.add_argument("--json", action="store_true", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] == "import-grants":
            self._import(options)
            return
        path: Path = options["file"]
        try:
            document = parse_policy(path.read_text(encoding="utf-8"), file=path.name)
            found = getattr(self, f"_{options['action']}")(document, options)
        except PolicyError as fault:
            self._tell({"ok": False, "issues": [str(i) for i in fault.issues]}, options)
            sys.exit(1)
        except (ShownError, OSError, UnicodeDecodeError, WarehouseFault) as error:
            raise CommandError(str(error), returncode=1) from error
        self._tell({"ok": True, **found}, options)

    def _import(self, options: dict[str, Any]) -> None:
        try:
            made = imported(grants_at(options["address"], tuple(options["role"])), version="imported")
        except WarehouseFault as error:
            raise CommandError(str(error), returncode=1) from error
        if options["json"]:
            self.stdout.write(json.dumps({"ok": True, **asdict(made)}))
            return
        for warning in made.warnings:
            self.stdout.write(f"# {warning}")
        self.stdout.write(made.text)

    def _validate(self, document: PolicyDocument, _options: dict[str, Any]) -> dict[str, Any]:
        return {"policy": document.label(), "roles": sorted(document.roles)}

    def _diff(self, document: PolicyDocument, options: dict[str, Any]) -> dict[str, Any]:
        place = _place(options["workspace"])
        before = service.document(place.id)
        schema, metrics = _world(place)
        people = [service.principal_of_member(member) for member in accounts.members(place.id)]
        return {
            "before": before.label() if before is not None else "",
            "after": document.label(),
            "without_effect": unknown_names(document, schema, metrics),
            "effects": [asdict(e) for e in effects(before, document, people, schema, metrics)],
        }

    def _apply(self, document: PolicyDocument, options: dict[str, Any]) -> dict[str, Any]:
        place = _place(options["workspace"])
        who = service.principal(options["user"], place.slug) if options["user"] else None
        if service.document(place.id) is not None:
            with service.refusals_told(who, route="manage.py policy apply"):
                permit(who, Capability.ADMINISTER)
        stored = service.load_policy(place.id, options["file"], by=who.user_id if who is not None else None)
        return {"policy": document.label(), "number": stored.number}

    def _tell(self, found: dict[str, Any], options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        for issue in found.get("issues", ()):
            self.stdout.write(issue)
        for name in found.get("without_effect", ()):
            self.stdout.write(f"no effect: there is no {name}")
        for effect in found.get("effects", ()):
            self.stdout.write(_line(PolicyEffect(**effect)))
        if found["ok"]:
            self.stdout.write(_summary(found))


def _summary(found: dict[str, Any]) -> str:
    if "effects" in found:
        people = len({effect["user"] for effect in found["effects"]})
        return f"{len(found['effects'])} differences for {people} people from {found['before'] or 'no policy'}."
    if "number" in found:
        return f"Version {found['number']} is in force: {found['policy']}."
    return f"ok: {found['policy']}, {len(found['roles'])} roles."


def _line(effect: PolicyEffect) -> str:
    words = f"{effect.user} {effect.change.value} {effect.kind} {effect.name}"
    return f"{words}: {effect.before} → {effect.after}" if effect.before and effect.after else words


def _place(slug: str) -> WorkspaceInfo:
    found = accounts.workspace(slug)
    if found is None:
        raise ShownError("not_found", "There is no such workspace.")
    return found


def _world(place: WorkspaceInfo) -> tuple[tuple[TableSchema, ...], tuple[str, ...]]:
    """The workspace's tables, and its metrics where it has a catalog."""
    schema = tuple(warehouse_for(place.slug).schema())
    if not catalog.current_digest(place.id):
        return schema, ()
    return schema, tuple(metric.name for metric in catalog.current_snapshot(place.id).metrics)
