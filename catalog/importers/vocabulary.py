"""The evaluation vocabulary (one YAML file: entities, joins, metrics, dimensions, roles) as a CatalogSnapshot.

It says what words mean, not how tables look: each entity becomes one semantic
model, and a metric may be used with what its entity reaches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from catalog.access import AccessScope
from catalog.content import with_digest
from catalog.importers.own import load_sections
from catalog.importers.yaml_source import Document, Plain, read_document
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.types import (
    Aggregation,
    Calendar,
    CatalogSnapshot,
    Defaults,
    Dimension,
    DimensionType,
    Entity,
    EntityInfo,
    EntityType,
    FiscalYear,
    FreshnessContract,
    Measure,
    Metric,
    MetricFormat,
    MetricInput,
    MetricType,
    NonAdditive,
    Polarity,
    SemanticModel,
    TimeGranularity,
)

_WORSE_WHEN_HIGHER = (
    ("bounce",), ("churn",), ("churned",), ("refund",), ("refunds",), ("refunded",), ("return",), ("returns",),
    ("cogs",), ("cost",), ("costs",), ("cancel",), ("cancelled",), ("cancellations",), ("discount",),
    ("response", "hours"), ("response", "time"), ("wait",), ("error",), ("errors",), ("complaints",), ("defect",),
)  # fmt: skip
"""Name parts that make more of a metric worse, where the file does not say `polarity`."""

_SEMI_ADDITIVE = "semi_additive"
_DISTINCT = "distinct_count"
_KINDS = {"simple": MetricType.SIMPLE, _DISTINCT: MetricType.SIMPLE, _SEMI_ADDITIVE: MetricType.SIMPLE}
_WINDOW = re.compile(r"^(\d+)\s+(second|minute|hour|day|week|month|quarter|year)s?$")


def load_vocabulary(path: Path) -> CatalogSnapshot:
    """The vocabulary file as a snapshot.

    Raises:
        CatalogError: what cannot be read, with file and line.
    """
    document = _document(path)
    body = _mapping(document.value)
    try:
        return _snapshot(body, document)
    except (KeyError, ValueError, TypeError, AttributeError) as bad:
        raise _error(document, f"The vocabulary cannot be read: {bad}.") from bad


def today_of(path: Path) -> date | None:
    """The day that the file fixes as today, or None."""
    found = _mapping(_document(path).value).get("today")
    return found if isinstance(found, date) else None


def roles_of(path: Path) -> Mapping[str, AccessScope]:
    """What each role of the file may see.

    A role limited to some rows may name only the values that limit names; of the
    other dimensions of that entity the file cannot tell which values such a role
    sees, so it may name none.
    """
    document = _document(path)
    body = _mapping(document.value)
    return {name: _role(name, _mapping(role), body, document) for name, role in _mapping(body.get("roles")).items()}


def _document(path: Path) -> Document:
    document = read_document(path, path.name)
    if not isinstance(document, Document):
        raise CatalogError(document)
    return document


def _error(document: Document, message: str, *path: str) -> CatalogError:
    return CatalogError((Issue(code=IssueCode.INVALID_CATALOG, message=message, source=document.source(path)),))


def _mapping(value: Plain | None) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _words(value: Any) -> tuple[str, ...]:
    return tuple(_word(v) for v in value or ())


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _snapshot(body: dict[str, Any], document: Document) -> CatalogSnapshot:
    metrics = tuple(_metric(n, _mapping(m), body, document) for n, m in _mapping(body.get("metrics")).items())
    dimensions = {n: _mapping(d) for n, d in _mapping(body.get("dimensions")).items()}
    entities = _mapping(body.get("entities"))
    known = {"events", "ambiguous_terms", "term_defaults", "adjectives", "lineage"}
    sections = load_sections({k: v for k, v in body.items() if k in known and v}, document)
    return with_digest(
        CatalogSnapshot(
            name="vocabulary",
            digest="",
            dialect="duckdb",
            models=tuple(_model(name, body, dimensions, document) for name in entities),
            metrics=metrics,
            entities=tuple(_entity(n, _mapping(e), dimensions) for n, e in entities.items()),
            calendar=_calendar(body),
            defaults=_defaults(_mapping(body.get("defaults"))),
            freshness=tuple(FreshnessContract(table=t) for t in _mapping(body.get("freshness"))),
            **sections,
        )
    )


def _entity(name: str, entity: dict[str, Any], dimensions: dict[str, Any]) -> EntityInfo:
    key, label = entity.get("key"), entity.get("label")
    return EntityInfo(
        name=name,
        key_dimension=key if key in dimensions else None,
        label_dimension=label if label in dimensions else None,
        time_dimension=entity.get("time"),
        synonyms=_words(entity.get("synonyms")),
    )


def _model(name: str, body: dict[str, Any], dimensions: dict[str, Any], document: Document) -> SemanticModel:
    entities = _mapping(body["entities"])
    joined = [j[1] for j in body.get("joins") or () if j[0] == name]
    own_metrics = {n: m for n, m in _mapping(body.get("metrics")).items() if m.get("entity") == name}
    return SemanticModel(
        name=name,
        table=f"vocabulary.{name}",
        default_time_dimension=entities[name].get("time"),
        entities=(
            Entity(name=name, type=EntityType.PRIMARY, expr=str(entities[name]["key"])),
            *(Entity(name=to, type=EntityType.FOREIGN, expr=str(entities[to]["key"])) for to in joined),
        ),
        dimensions=tuple(_dimension(n, d, document) for n, d in dimensions.items() if d.get("entity") == name),
        measures=tuple(_measure(n, m) for n, m in own_metrics.items() if _has_measure(m)),
        source=document.source(("entities", name)),
    )


def _dimension(name: str, given: dict[str, Any], document: Document) -> Dimension:
    kind = DimensionType(given["type"])
    synonyms = _mapping(given.get("value_synonyms"))
    pii = bool(given.get("pii", False))
    return Dimension(
        name=name,
        type=kind,
        expr=name,
        label=str(given.get("label") or ""),
        description=str(given.get("description") or ""),
        synonyms=_words(given.get("synonyms")),
        values=_words(given.get("values")),
        value_synonyms=tuple((_word(v), _words(s)) for v, s in synonyms.items()),
        granularity=TimeGranularity.DAY if kind is DimensionType.TIME else None,
        pii=pii,
        indexable=bool(given.get("indexable", not pii)),
        source=document.source(("dimensions", name)),
    )


def _has_measure(metric: dict[str, Any]) -> bool:
    return metric["kind"] in {*_KINDS, "cumulative"}


def _measure(name: str, metric: dict[str, Any]) -> Measure:
    time = metric.get("time")
    semi = metric["kind"] == _SEMI_ADDITIVE
    return Measure(
        name=name,
        agg=Aggregation.COUNT_DISTINCT if metric["kind"] == _DISTINCT else Aggregation.SUM,
        expr=name,
        agg_time_dimension=time,
        non_additive=NonAdditive(dimension=str(time), pick=Aggregation.MAX) if semi else None,
    )


def _metric(name: str, given: dict[str, Any], body: dict[str, Any], document: Document) -> Metric:
    try:
        kind = _KINDS.get(given["kind"]) or MetricType(given["kind"])
        return Metric(
            name=name, type=kind, **_parts(name, kind, given=given, body=body), **_facts(name, given, document)
        )
    except (KeyError, ValueError) as bad:
        raise _error(document, f'The metric "{name}" cannot be read: {bad}.', "metrics", name) from bad


def _facts(name: str, given: dict[str, Any], document: Document) -> dict[str, Any]:
    polarity = Polarity(given["polarity"]) if given.get("polarity") else default_polarity(name)
    return {
        "label": str(given.get("label") or ""),
        "description": str(given.get("description") or ""),
        "entity": given.get("entity"),
        "steps": _words(given.get("steps")),
        "time_dimension": given.get("time"),
        "format": MetricFormat(given.get("format", "number")),
        "polarity": polarity,
        "owner": str(given.get("owner") or ""),
        "synonyms": _words(given.get("synonyms")),
        "source": document.source(("metrics", name)),
    }


def _parts(name: str, kind: MetricType, *, given: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    expr = given.get("expr")
    known = [w for w in re.findall(r"[A-Za-z_]\w*", expr or "") if w in body["metrics"]]
    parts: dict[str, Any] = {"expr": expr}
    if _has_measure(given):
        parts["measure"] = name
    if kind is MetricType.RATIO and expr and len(known) == 2 and expr.count("/") == 1:
        parts["numerator"], parts["denominator"] = (MetricInput(metric=w) for w in known)
    if kind is MetricType.DERIVED:
        parts["inputs"] = tuple(MetricInput(metric=w) for w in dict.fromkeys(known))
    window = _WINDOW.match(str(given.get("window") or ""))
    if window:
        parts["window_count"], parts["window_granularity"] = int(window[1]), TimeGranularity(window[2])
    return parts


def default_polarity(name: str) -> Polarity:
    """Whether more of a metric is better, judged by the parts of its name where its owner does not say."""
    parts = set(name.lower().split("_"))
    worse = any(parts.issuperset(tokens) for tokens in _WORSE_WHEN_HIGHER)
    return Polarity.LOWER_IS_BETTER if worse else Polarity.HIGHER_IS_BETTER


def _calendar(body: dict[str, Any]) -> Calendar:
    given = _mapping(body.get("calendar"))
    fiscal = _mapping(given.get("fiscal"))
    return Calendar(
        timezone=str(body.get("timezone") or "UTC"),
        week_start=given.get("week_start", "monday"),
        quarter_basis=given.get("quarter_basis", "calendar"),
        date_order=given.get("date_order"),
        fiscal=FiscalYear(
            start_month=int(fiscal.get("start_month", 1)), label_by=str(fiscal.get("label_by", "end_year"))
        ),
        rolling_excludes_today=bool(given.get("rolling_excludes_today", True)),
        rolling_full_periods=given.get("rolling_months", "full_periods") == "full_periods",
        to_date_includes_today=bool(given.get("to_date_includes_today", True)),
        holidays=str(given.get("holidays", "US")),
    )


def _defaults(given: dict[str, Any]) -> Defaults:
    return Defaults(
        time_range=str(given.get("time_range", "all_time")),
        trend_range=str(given.get("trend_range", "last_12_months")),
        trend_grain=TimeGranularity(given.get("trend_grain", "month")),
        top_n=int(given.get("top_n", 10)),
        snapshot=str(given.get("snapshot", "latest")),
    )


def _role(name: str, role: dict[str, Any], body: dict[str, Any], document: Document) -> AccessScope:
    metrics = _mapping(body.get("metrics"))
    allowed = role.get("metrics")
    if allowed == "all":
        permitted = frozenset(metrics)
    elif allowed == "all_unrestricted":
        permitted = frozenset(n for n, m in metrics.items() if name in (m.get("restricted") or (name,)))
    else:
        permitted = frozenset(_words(allowed)) & frozenset(metrics)
    named = frozenset(metrics) - permitted if allowed == "all_unrestricted" else frozenset[str]()
    return AccessScope(
        workspace="vocabulary",
        without_warehouse=True,
        principal=name,
        policy_version=str(body.get("version", "")),
        digest=f"vocabulary:{name}",
        metrics=permitted,
        announced=named,
        value_limits=_limits(str(role.get("rows") or "all"), body, document),
    )


def _limits(rows: str, body: dict[str, Any], document: Document) -> tuple[tuple[str, frozenset[str]], ...]:
    if rows == "all":
        return ()
    read = re.match(r"^\s*(\w+)\s*(?:=|in)\s*\(?(.+?)\)?\s*$", rows, re.IGNORECASE)
    dimensions = {n: _mapping(d) for n, d in _mapping(body.get("dimensions")).items()}
    if read is None or read[1] not in dimensions:
        raise _error(document, f'The row rule "{rows}" cannot be read.', "roles")
    values = frozenset(v.strip().strip("'\"") for v in read[2].split(","))
    entity = dimensions[read[1]].get("entity")
    others = (n for n, d in dimensions.items() if d.get("entity") == entity and n != read[1])
    return ((read[1], values), *((n, frozenset[str]()) for n in others))
