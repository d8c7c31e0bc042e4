"""`manage.py catalog check|import|export|publish`: catalogs from other tools and for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalog import service as catalog
from catalog.checks import check, is_error
from catalog.exporters.losses import Loss
from catalog.exporters.osi import osi_yaml
from catalog.exporters.own import own_yaml
from catalog.importers.formats import DEFAULT_SCHEMA, Format, format_of, load_any
from catalog.issues import CatalogError, Issue, issue_line
from catalog.types import CatalogSnapshot
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability

CAPABILITY = Capability.PUBLISH
"""What publishing needs; reading and writing files needs none."""
AUTO = "auto"

Write = Callable[[str], object]


def add_actions(actions: Any) -> None:
    """The sub-commands `check`, `import`, `publish` and `export` with their options."""
    checked = actions.add_parser("check", help="tell errors and advice, with file and line")
    imported = actions.add_parser("import", help="read a catalog and, with --out, keep it as our own YAML")
    published = actions.add_parser("publish", help="make a catalog the workspace's current one")
    exported = actions.add_parser("export", help="write a catalog as our own YAML or as OSI")
    for reading in (checked, imported, published):
        reading.add_argument("path", type=Path, help="a file or a folder")
    exported.add_argument("--catalog", type=Path, required=True, dest="path", help="a file or a folder")
    for action in (checked, imported, published, exported):
        read_as = "--from" if action is exported else "--format"
        action.add_argument(read_as, dest="written_as", choices=[AUTO, *Format], default=AUTO)
        action.add_argument("--schema", default=DEFAULT_SCHEMA, help="where the tables are, if no file says it")
        action.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")
    imported.add_argument("--out", type=Path, help="a folder for our own YAML")
    imported.add_argument("--replace", action="store_true", help="write over the catalog.yaml in that folder")
    exported.add_argument("--format", choices=["own", "osi"], required=True)
    exported.add_argument("--out", type=Path, help="a file; without it, the text is printed")
    published.add_argument("--as", dest="user", required=True, help="who publishes")
    published.add_argument("--workspace", default="demo")


@dataclass(frozen=True, slots=True)
class Exchange:
    """Does what was asked; `write` takes what was made, `warn` what a format does not hold."""

    options: dict[str, Any]
    write: Write
    warn: Write

    def run(self) -> bool:
        """Whether the catalog can be used."""
        made = {"check": self._check, "import": self._import, "export": self._export, "publish": self._publish}
        return made[self.options["action"]]()

    def _check(self) -> bool:
        snapshot, issues = _read(self.options)
        return self._tell(issues, {"digest": snapshot.digest if snapshot else ""})

    def _import(self) -> bool:
        snapshot, issues = _read(self.options)
        shown: dict[str, object] = {"digest": ""}
        if snapshot is not None:
            shown = {**_counts(snapshot), "format": str(_format(self.options)), "digest": snapshot.digest}
        if snapshot is not None and self.options["out"]:
            _check_free(self.options["out"], replace=self.options["replace"])
            file = self.options["out"] / "catalog.yaml"
            _save(file, own_yaml(snapshot))
            shown["out"] = str(file)
        return self._tell(issues, shown)

    def _publish(self) -> bool:
        asked = self.options
        owner = permit(policy.principal(asked["user"], asked["workspace"]), CAPABILITY)
        try:
            snapshot = catalog.publish_any(
                owner.workspace_id,
                asked["path"],
                written_as=_format(asked),
                schema=asked["schema"],
                by=owner.user_id,
            )
        except CatalogError as bad:
            return self._tell(bad.issues, {"digest": ""})
        return self._tell((), {**_counts(snapshot), "workspace": asked["workspace"], "digest": snapshot.digest})

    def _export(self) -> bool:
        snapshot, issues = _read(self.options)
        if snapshot is None:
            return self._tell(issues, {"digest": ""})
        out = self.options["out"]
        text = own_yaml(snapshot)
        losses: tuple[Loss, ...] = ()
        if self.options["format"] == "osi":
            made = osi_yaml(snapshot, file=(out or self.options["path"]).name)
            text, losses = made.text, made.losses
        if out:
            _save(out, text)
        self._tell_export(str(out or ""), text, losses)
        return True

    def _tell(self, issues: tuple[Issue, ...], shown: dict[str, object]) -> bool:
        broken = any(is_error(i) for i in issues)
        if self.options["as_json"]:
            self.write(json.dumps({"ok": not broken, **shown, "issues": [_as_json(i) for i in issues]}))
            return not broken
        for issue in issues:
            self.write(f"{'error' if is_error(issue) else 'advice'}: {issue_line(issue)}")
        self.write(_sentence(broken=broken, shown=shown))
        return not broken

    def _tell_export(self, where: str, text: str, losses: tuple[Loss, ...]) -> None:
        if self.options["as_json"]:
            told = [{"file": x.file, "object": x.object, "field": x.field, "message": x.message} for x in losses]
            self.write(json.dumps({"ok": True, "out": where, "losses": told, "text": "" if where else text}))
            return
        for loss in losses:
            self.warn(f"{loss.file}: {loss.message}")
        self.write(f"Written to {where}." if where else text)


def _check_free(folder: Path, *, replace: bool) -> None:
    """Raises: ShownError rather than write over a catalog, or beside one, whose parts would then be there twice."""
    held = sorted(p.name for p in folder.rglob("*.y*ml")) if folder.is_dir() else []
    if held and not (replace and held == ["catalog.yaml"]):
        action = "Name another folder." if replace else "Name another folder, or add --replace."
        raise ShownError("invalid_input", f"{folder} holds a catalog already.", action=action)


def _save(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as bad:
        message = f"{file} cannot be written."
        raise ShownError("invalid_input", message, action="Name a place that may be written.") from bad


def _format(options: dict[str, Any]) -> Format:
    asked = options["written_as"]
    return format_of(options["path"]) if asked == AUTO else Format(asked)


def _read(options: dict[str, Any]) -> tuple[CatalogSnapshot | None, tuple[Issue, ...]]:
    """The catalog with all that its checks tell, or None with what cannot be read."""
    try:
        snapshot = load_any(options["path"], written_as=_format(options), schema=options["schema"])
    except CatalogError as bad:
        return None, bad.issues
    return snapshot, check(snapshot)


def _counts(snapshot: CatalogSnapshot) -> dict[str, object]:
    return {
        "name": snapshot.name,
        "models": len(snapshot.models),
        "metrics": sum(not m.hidden for m in snapshot.metrics),
        "carried": len(snapshot.extensions),
    }


def _sentence(*, broken: bool, shown: dict[str, object]) -> str:
    if broken:
        return "The catalog cannot be used yet."
    parts = [f"The catalog is usable ({str(shown['digest'])[:12]})."]
    if "format" in shown:
        parts.append(f"Read as {shown['format']}: {shown['models']} semantic models, {shown['metrics']} metrics.")
    if "workspace" in shown:
        parts.append(f"It is now the catalog of {shown['workspace']}.")
    if "out" in shown:
        parts.append(f"Written to {shown['out']}.")
    return " ".join(parts)


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
