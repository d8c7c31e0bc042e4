"""Counts, sums and averages with honest labels.  What would add up to nonsense is not summed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.drafting.conventions import Role, role_of, unit_of
from catalog.drafting.dimensions import DraftedColumn
from catalog.drafting.joins import Joined
from catalog.drafting.names import FreeNames, catalog_name, label, several, spoken
from catalog.drafting.plan import PlannedTable
from catalog.drafting.synonyms import is_one_thing, number_synonyms, row_caveats, row_synonyms
from catalog.types import Aggregation, Entity, EntityType, Measure, Metric, MetricFormat, MetricType, Status

SUMMED = frozenset({Role.AMOUNT})
AVERAGED = frozenset({Role.AMOUNT, Role.AVERAGE_ONLY, Role.BALANCE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A measure and the metric that shows it."""

    measure: Measure
    metric: Metric


def counted(
    table: PlannedTable,
    columns: tuple[DraftedColumn, ...],
    joined: Joined,
    names: FreeNames,
    *,
    entities: dict[str, tuple[str, ...]],
) -> tuple[Counted, ...]:
    """The metrics of a table: its rows, what its rows lead to, then its numbers in column order.

    `entities` are the words of each entity.
    """
    return (
        _rows(table, names),
        *(_distinct(table, e, names, entities) for e in joined.entities[table.model] if _is_distinct(table, e)),
        *(c for column in columns for c in _numbers(table, column, names)),
    )


def _rows(table: PlannedTable, names: FreeNames) -> Counted:
    counted = (*table.thing, "rows") if not is_one_thing(table) else tuple(several(table.thing).split())
    return _made(
        names.take(catalog_name((*table.thing, "count"), "row_count"), f"{table.model}_count"),
        Aggregation.COUNT,
        "1",
        label=label(("number", "of", *counted), table.table.name),
        description=f"Counts the rows of {table.table.qualified}.",
        synonyms=row_synonyms(table),
        caveats=row_caveats(table),
    )


def _is_distinct(table: PlannedTable, entity: Entity) -> bool:
    key = next((e for e in (entity,) if e.type is EntityType.FOREIGN and not e.further), None)
    return key is not None and table.key != (key.expr,)


def _distinct(table: PlannedTable, entity: Entity, names: FreeNames, entities: dict[str, tuple[str, ...]]) -> Counted:
    words = entities.get(entity.name) or tuple(entity.name.split("_"))
    rows = several(table.thing)
    return _made(
        names.take(
            catalog_name(("distinct", *words, "in", *rows.split()), "distinct"),
            f"distinct_{entity.name}_in_{table.model}",
        ),
        Aggregation.COUNT_DISTINCT,
        entity.expr,
        label=label(("distinct", *several(words).split(), "in", *rows.split()), entity.name),
        description=f"Counts each {spoken(words)} once that rows of {table.table.qualified} name.",
    )


def _numbers(table: PlannedTable, column: DraftedColumn, names: FreeNames) -> Iterator[Counted]:
    if table.key == (column.planned.column.name,) or column.dimension.pii:
        return
    role = role_of(column.planned.words, column.planned.kind)
    shape, unit = unit_of(column.planned.words)
    place = f"{table.table.qualified}.{column.planned.column.name}"
    parts = [(Aggregation.SUM, "total", "Adds up")] if role in SUMMED else []
    parts += [(Aggregation.AVERAGE, "average", "The average of")] if role in AVERAGED else []
    for aggregation, word, begins in parts:
        name = column.dimension.name
        said = label((word, *column.dimension.label.lower().split()), name)
        yield _made(
            names.take(f"{word}_{name}", f"{word}_{table.model}_{name}"),
            aggregation,
            column.dimension.expr,
            label=said,
            description=f"{begins} {place} over the rows that have a value.",
            unit=(shape, unit),
            synonyms=number_synonyms(table, word, column.planned.words, said),
        )


def _made(
    name: str,
    aggregation: Aggregation,
    expr: str,
    *,
    label: str,
    description: str,
    unit: tuple[MetricFormat, str] = (MetricFormat.NUMBER, ""),
    synonyms: tuple[str, ...] = (),
    caveats: tuple[str, ...] = (),
) -> Counted:
    measure = Measure(name=name, agg=aggregation, expr=expr)
    metric = Metric(
        name=name,
        type=MetricType.SIMPLE,
        label=label,
        description=description,
        measure=name,
        format=unit[0],
        unit=unit[1],
        synonyms=synonyms,
        caveats=caveats,
        status=Status.DRAFT,
    )
    return Counted(measure=measure, metric=metric)
