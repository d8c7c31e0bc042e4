"""A catalog drafted from a connected warehouse: read what it says about itself, draft, check, write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from catalog.checks import check, is_error
from catalog.drafting.descriptions import described
from catalog.drafting.draft import Progress, draft
from catalog.drafting.files import files_of, is_untouched
from catalog.drafting.observing import with_observed
from catalog.drafting.types import Draft, WarehouseDescription
from catalog.importers.yaml_bounds import check_bounds
from catalog.issues import Issue
from catalog.types import EntityType
from dataagent.errors import ShownError
from dataagent.management.catalog_observing import CountingObserver
from dataagent.warehouse import pool
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse

Describing = DuckDBWarehouse | PostgresWarehouse
"""A warehouse that tells its tables and constraints."""
MAX_TABLES = 1_900
"""A folder of a catalog may hold 2,000 files, and each table gets one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A draft, what the catalog's own checks say about it, and where it was written."""

    draft: Draft
    issues: tuple[Issue, ...]
    files: tuple[str, ...]


def drafted(
    *,
    warehouse: str,
    workspace: str,
    schemas: tuple[str, ...],
    descriptions: Path | None,
    folder: Path | None,
    replace: bool,
    observe: bool,
    progress: Progress,
) -> Drafted:
    """The draft of a warehouse, written to `folder` where one is named.

    `observe`: keys that no constraint declares are looked up in the data, by counting.

    Raises: ShownError with one sentence.
    """
    if folder is not None:
        _check_folder(folder, replace=replace)
    with _opened(warehouse, workspace) as opened:
        description = _read(opened, schemas)
        if descriptions is not None:
            description = _with_texts(description, descriptions)
        _check_size(description, schemas)
        if observe:
            description = with_observed(description, CountingObserver(opened))
    made = draft(description, progress=progress)
    files = files_of(made)
    if folder is not None:
        _write(folder, files)
    return Drafted(draft=made, issues=check(made.snapshot), files=tuple(files) if folder is not None else ())


def counts(made: Drafted) -> dict[str, int]:
    """How much was drafted, by kind of part."""
    models = made.draft.snapshot.models
    entities = [e for m in models for e in m.entities]
    return {
        "tables": len(models),
        "dimensions": sum(len(m.dimensions) for m in models),
        "personal": sum(d.pii for m in models for d in m.dimensions),
        "metrics": len(made.draft.snapshot.metrics),
        "joins": sum(e.type is EntityType.FOREIGN for e in entities),
        "suggestions": len(made.draft.suggestions),
        "errors": sum(is_error(i) for i in made.issues),
        "advice": sum(not is_error(i) for i in made.issues),
    }


def as_json(made: Drafted) -> str:
    """The draft's facts as one JSON object."""
    snapshot = made.draft.snapshot
    return json.dumps(
        {
            "status": "draft",
            "name": snapshot.name,
            "dialect": snapshot.dialect,
            "digest": snapshot.digest,
            "counts": counts(made),
            "models": [m.name for m in snapshot.models],
            "metrics": [m.name for m in snapshot.metrics],
            "suggestions": [asdict(s) for s in made.draft.suggestions],
            "issues": [{"error": is_error(i), "code": i.code.value, "message": i.message} for i in made.issues],
            "files": list(made.files),
        },
        ensure_ascii=False,
    )


def print_draft(made: Drafted, write: Callable[[str], object], *, folder: Path | None) -> None:
    """The draft's facts as lines for a terminal."""
    number = counts(made)
    write(
        f"Drafted {number['tables']} models with {number['dimensions']} dimensions ({number['personal']} personal),"
        f" {number['joins']} joins and {number['metrics']} metrics. Nobody has reviewed them."
    )
    for suggestion in made.draft.suggestions:
        write(f"to decide: {suggestion.text}")
        if suggestion.accept:
            write(f"           to accept: {suggestion.accept}")
    for issue in made.issues:
        if is_error(issue):
            write(f"error: {issue.message}")
    where = f"Written to {folder}. " if folder else "Nothing was written; name a folder with --out. "
    write(f"{where}manage.py catalog check tells what else may confuse people ({number['advice']} hints).")


def _read(opened: Describing, schemas: tuple[str, ...]) -> WarehouseDescription:
    try:
        found = opened.describe(schemas)
    except WarehouseFault as fault:
        raise ShownError("unavailable", str(fault)) from fault
    if not found.tables:
        which = f" in the schemas {', '.join(schemas)}" if schemas else ""
        raise ShownError("not_found", f"The warehouse shows no tables{which}. Check the name and the login's grants.")
    return found


@contextmanager
def _opened(warehouse: str, workspace: str) -> Iterator[Describing]:
    """The workspace's warehouse, or one that is opened for this only.  Raises: ShownError."""
    if not warehouse:
        try:
            own = pool.warehouse_for(workspace)
        except WarehouseFault as fault:
            raise ShownError("unavailable", str(fault)) from fault
        yield own
        return
    opened = _connected(warehouse)
    try:
        yield opened
    finally:
        opened.close()


def _connected(warehouse: str) -> PostgresWarehouse | DuckDBWarehouse:
    if warehouse.startswith(("postgres://", "postgresql://")):
        return PostgresWarehouse(warehouse)
    path = Path(warehouse.removeprefix("duckdb://"))
    if not path.is_file():
        raise ShownError("not_found", f"There is no DuckDB file {path}, and it is no postgresql:// address.")
    return DuckDBWarehouse(path, processes=1)


def _with_texts(description: WarehouseDescription, path: Path) -> WarehouseDescription:
    try:
        text = path.read_text(encoding="utf-8")
        given = json.loads(text) if path.suffix == ".json" else _plain(text)
        return described(description, given)
    except (OSError, UnicodeDecodeError) as error:
        raise ShownError("not_found", f"The descriptions {path} cannot be read.") from error
    except (yaml.YAMLError, json.JSONDecodeError) as error:
        raise ShownError("invalid_input", f"The descriptions {path} are no valid JSON or YAML.") from error
    except ValueError as error:
        raise ShownError("invalid_input", str(error)) from error


def _plain(text: str) -> Any:
    """The value of a YAML text of a bounded size.  Raises: yaml.YAMLError."""
    check_bounds(text)
    return yaml.safe_load(text)


def _check_size(description: WarehouseDescription, schemas: tuple[str, ...]) -> None:
    if len(description.tables) > MAX_TABLES:
        found = sorted({t.schema for t in description.tables})
        more = "fewer schemas" if schemas else f"one of its schemas with --schema ({', '.join(found[:10])})"
        raise ShownError(
            "invalid_input", f"The warehouse has {len(description.tables)} tables; draft at most {MAX_TABLES}: {more}."
        )


def _check_folder(folder: Path, *, replace: bool) -> None:
    """Raises: ShownError rather than write over what somebody may have reviewed."""
    if folder.exists() and not folder.is_dir():
        raise ShownError("invalid_input", f"{folder} is a file; name a folder.")
    held = sorted(folder.rglob("*.y*ml")) if folder.exists() else []
    if held and not replace:
        raise ShownError("invalid_input", f"{folder} holds a catalog already. Name another folder, or add --replace.")
    for path in held:
        if not is_untouched(path.read_text(encoding="utf-8", errors="replace")):
            message = f"{path} is no draft, or somebody has changed it since; it is not written over."
            raise ShownError("invalid_input", message, action="Name another folder.")


def _write(folder: Path, files: dict[str, str]) -> None:
    try:
        for path in folder.rglob("*.yaml") if folder.exists() else ():
            path.unlink()
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ShownError("unavailable", f"{folder} cannot be written: {error.strerror}.") from error
