"""Catalogs made at random from the types themselves: every field, any text, any number."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from catalog.content import with_digest
from catalog.types import CatalogSnapshot, Filter, Operator, SourceLocation

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "1.5e5",
        "007",
        "NO",
        "null",
        "~",
        "2025-01-01",
        "- a",
        "a: b",
        "#x",
        "<<",
        "1_000",
        "é",
        "\x00\u2028\ufeff",
        "0x1f",
        "=",
        ".5",
    ]
)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=3) | st.sampled_from(
    [Decimal("5"), Decimal("1E+3"), Decimal("-0"), Decimal("1E-9"), Decimal("12345678901234567890.12345")]
)
LITERALS = st.one_of(TEXTS, st.integers(), st.booleans(), DECIMALS, st.dates(), st.datetimes(), st.none())
_NAMED = {"name"}


def snapshots() -> st.SearchStrategy[CatalogSnapshot]:
    """Catalogs with unique names where names must be unique."""
    return _of(CatalogSnapshot, "snapshot").map(with_digest)


def _filters() -> st.SearchStrategy[Filter]:
    empty = st.sampled_from([Operator.IS_NULL, Operator.IS_NOT_NULL])
    some = st.sampled_from([o for o in Operator if o not in {Operator.IS_NULL, Operator.IS_NOT_NULL}])
    values = st.lists(LITERALS, min_size=1, max_size=3).map(tuple)
    return st.builds(Filter, field=TEXTS, op=empty) | st.builds(Filter, field=TEXTS, op=some, values=values)


def _of(hint: Any, field: str) -> st.SearchStrategy[Any]:
    if hint is Filter:
        return _filters()
    if isinstance(hint, type) and is_dataclass(hint):
        return _built(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    if get_origin(hint) in {Union, UnionType}:
        return st.one_of(*(_of(a, field) for a in get_args(hint) if a is not NoneType), st.none())
    if get_origin(hint) is tuple:
        return _tuples(get_args(hint), field)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: NAMES if field in _NAMED else TEXTS,
        int: st.integers(),
        bool: st.booleans(),
        Decimal: DECIMALS,
        date: st.dates(),
        datetime: st.datetimes(),
    }
    return plain[hint]


def _tuples(inner: tuple[Any, ...], field: str) -> st.SearchStrategy[Any]:
    if inner[-1] is not ...:
        return st.tuples(*(_of(a, field) for a in inner))
    unique: Any = None
    if is_dataclass(inner[0]) and "name" in {f.name for f in fields(inner[0])}:
        unique = lambda item: item.name  # noqa: E731
    elif field in {"value_synonyms", "lineage"} and inner[0] is not str:
        unique = lambda pair: pair[0]  # noqa: E731
    return st.lists(_of(inner[0], field), max_size=2, unique_by=unique).map(tuple)


def _built(cls: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(cls)
    given: dict[str, st.SearchStrategy[Any]] = {}
    for field in fields(cls):
        if hints[field.name] == SourceLocation | None or field.name == "digest":
            given[field.name] = st.just("" if field.name == "digest" else None)
        elif field.name == "dialect":
            given[field.name] = st.sampled_from(["duckdb", "postgres"])
        elif field.default is MISSING and field.default_factory is MISSING:
            given[field.name] = _of(hints[field.name], field.name)
        else:
            default = field.default if field.default_factory is MISSING else field.default_factory()
            given[field.name] = st.just(default) | _of(hints[field.name], field.name)
    return st.builds(cls, **given)
