"""A warehouse's description as a catalog that is clearly a draft: the same description gives the same draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from catalog.content import with_digest
from catalog.drafting.conventions import Role, as_text, event_times, role_of
from catalog.drafting.dimensions import DraftedColumn, drafted_columns, entity_info
from catalog.drafting.joins import Joined, joined
from catalog.drafting.measures import Counted, counted
from catalog.drafting.names import FreeNames, catalog_name, spoken, words_of
from catalog.drafting.plan import PlannedTable, planned
from catalog.drafting.suggestions import bridges, joins_by_name, pure_pairs
from catalog.drafting.types import ColumnKind, Draft, Suggestion, SuggestionKind, WarehouseDescription
from catalog.types import CatalogSnapshot, EntityInfo, SemanticModel, Status

Progress = Callable[[str, int, int], None]
"""What is being done, how much of it is done, and of how much."""

NO_KEY = "Not known: the table declares no key."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafted:
    model: SemanticModel
    counted: tuple[Counted, ...]
    info: EntityInfo
    suggestions: tuple[Suggestion, ...]


def draft(description: WarehouseDescription, *, progress: Progress = lambda *_: None) -> Draft:
    """One semantic model per table, with joins by constraints and by what was observed, and what is left to its owner.

    Tables of pairs are bridges where the data were looked at, and a question to the owner elsewhere.
    """
    tables, left_out = planned(description)
    ends = joined(tables)
    names = FreeNames()
    columns = drafted_columns(tables, ends, names)
    entities = {t.entity: t.thing for t in tables}
    made: list[_Drafted] = []
    for number, table in enumerate(tables, start=1):
        made.append(_drafted(table, columns[table.model], ends, names, entities=entities))
        progress("Drafting", number, len(tables))
    snapshot = CatalogSnapshot(
        name=f"{catalog_name(words_of(description.name), 'warehouse')}_draft",
        digest="",
        dialect=description.dialect,
        models=tuple(m.model for m in made),
        metrics=tuple(c.metric for m in made for c in m.counted),
        entities=tuple(m.info for m in made if m.info.key_dimension),
        bridges=pure_pairs(tables, ends) if description.observed else (),
    )
    asked_bridges = () if description.observed else bridges(tables, ends)
    found = (*left_out, *ends.suggestions, *joins_by_name(tables, ends), *asked_bridges)
    asked = (*found, *(s for m in made for s in m.suggestions))
    order = {t.model: n for n, t in enumerate(tables)}
    return Draft(
        snapshot=with_digest(snapshot),
        suggestions=tuple(sorted(asked, key=lambda s: (order.get(s.model, -1), s.kind, s.text))),
    )


def _drafted(
    table: PlannedTable,
    columns: tuple[DraftedColumn, ...],
    ends: Joined,
    names: FreeNames,
    *,
    entities: dict[str, tuple[str, ...]],
) -> _Drafted:
    times = _times(table, columns)
    time = times[0] if len(times) == 1 else None
    found = counted(table, columns, ends, names, entities=entities)
    primary = any(e.name == table.entity for e in ends.entities[table.model])
    model = SemanticModel(
        name=table.model,
        table=table.table.qualified,
        description=as_text(table.table.comment),
        grain=_grain(table),
        default_time_dimension=time,
        primary_entity_name="" if primary else table.entity,
        entities=ends.entities[table.model],
        dimensions=tuple(c.dimension for c in columns),
        measures=tuple(replace(c.measure, agg_time_dimension=time) for c in found),
        status=Status.DRAFT,
    )
    asked = (*_about_times(table, times), *_about_columns(table))
    return _Drafted(model=model, counted=found, info=entity_info(table, columns, time), suggestions=asked)


def _grain(table: PlannedTable) -> str:
    if not table.key:
        return NO_KEY
    observed = ", by what the data showed" if table.table.key_observed else ""
    return f"One row per {spoken(table.thing)} ({', '.join(table.key)}){observed}."


def _times(table: PlannedTable, columns: tuple[DraftedColumn, ...]) -> tuple[str, ...]:
    found = tuple(
        (c.dimension.name, c.planned.words)
        for c in columns
        if role_of(c.planned.words, c.planned.kind) is Role.TIME and not c.dimension.pii
    )
    return event_times(found, table.thing) if found else ()


def _about_times(table: PlannedTable, times: tuple[str, ...]) -> tuple[Suggestion, ...]:
    if len(times) == 1:
        return ()
    if not times:
        return _about_other_times(table)
    text = f"{table.table.qualified} has several times and none is its own for certain: {', '.join(times)}."
    accept = f"in {table.model}: default_time_dimension: {times[0]}, and the same as agg_time_dimension of its measures"
    return (Suggestion(kind=SuggestionKind.TIME, model=table.model, text=text, accept=accept),)


def _about_other_times(table: PlannedTable) -> tuple[Suggestion, ...]:
    """Times that tell when a row was written, or when something ended, are its owner's to choose."""
    kept = [c.column.name for c in table.columns if role_of(c.words, c.kind) is Role.TIME]
    if not kept:
        return ()
    text = f"{table.table.qualified} has no time that says for certain when its rows happened: {', '.join(kept)}."
    accept = f"in {table.model}: default_time_dimension, and the same as agg_time_dimension of its measures"
    return (Suggestion(kind=SuggestionKind.TIME, model=table.model, text=text, accept=accept),)


def _about_columns(table: PlannedTable) -> tuple[Suggestion, ...]:
    found = list(_about_snapshots(table))
    for column in table.columns:
        role = role_of(column.words, column.kind)
        place = f"{table.table.qualified}.{column.column.name}"
        if role is Role.BALANCE:
            text = f"{place} looks like a balance, which does not add up over time: only its average is drafted."
            found.append(Suggestion(kind=SuggestionKind.BALANCE, model=table.model, text=text))
        elif column.kind is ColumnKind.TEXT and {"date", "dt", "timestamp", "datetime"} & set(column.words):
            text = f"{place} is called as a date but holds text; as a time it needs an expression of its owner."
            found.append(Suggestion(kind=SuggestionKind.TIME, model=table.model, text=text))
        elif role is Role.UNUSED:
            text = f"{place} is left out: values of type {column.column.type} can be neither grouped by nor added up."
            found.append(Suggestion(kind=SuggestionKind.LEFT_OUT, model=table.model, text=text))
    return tuple(found)


def _about_snapshots(table: PlannedTable) -> tuple[Suggestion, ...]:
    if not {"snapshot", "snapshots", "history"} & set(table.thing):
        return ()
    text = f"{table.table.qualified} looks like states kept over time: counts over several moments count a thing again."
    accept = f"in {table.model}, measures: {{non_additive: {{dimension: ITS_TIME, pick: max}}}}"
    return (Suggestion(kind=SuggestionKind.BALANCE, model=table.model, text=text, accept=accept),)
