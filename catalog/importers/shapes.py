"""What may stand in a catalog file: pydantic shapes made from the types themselves.

A file's keys are exactly the field names of `catalog.types`; the few places that
are written shorter than they are stored (filters, metric inputs, value synonyms)
have a shape of their own.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Optional, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError, create_model
from pydantic_core import ErrorDetails

from catalog import types
from catalog.importers.yaml_source import Document, Path_, Plain
from catalog.issues import Issue, IssueCode
from catalog.types import Filter, MeasureUse, MetricInput, Operator, Scalar, SourceLocation

_SOURCE = "source"


def _text(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a yes/no value stands where text belongs; put it in quotes")
    if isinstance(value, date | datetime):
        return value.isoformat()
    return str(value) if isinstance(value, int | Decimal) else value


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NumberShape(_Shape):
    """`{decimal: "5"}`: a number that is no whole number, however it is written."""

    decimal: Decimal


_Literal = StrictBool | int | Decimal | datetime | date | str | NumberShape | None


class FilterShape(_Shape):
    """`{field, op, value}`; `value` is one literal or a list, and absent for null tests."""

    field: Annotated[str, BeforeValidator(_text)]
    op: Operator
    value: list[Annotated[_Literal, Field(union_mode="smart")]] | Annotated[_Literal, Field(union_mode="smart")] = None

    def build(self) -> Filter:
        """The filter as the compiler reads it."""
        if self.op in {Operator.IS_NULL, Operator.IS_NOT_NULL}:
            return Filter(field=self.field, op=self.op)
        given = self.value if isinstance(self.value, list) else [self.value]
        values: tuple[Scalar, ...] = tuple(v.decimal if isinstance(v, NumberShape) else v for v in given)
        return Filter(field=self.field, op=self.op, values=values)


class InputShape(_Shape):
    """A metric name, or its name with an alias, conditions and an offset."""

    metric: Annotated[str, BeforeValidator(_text)]
    alias: Annotated[str, BeforeValidator(_text)] = ""
    filters: list[FilterShape] = []
    offset_count: int = 0
    offset_granularity: types.TimeGranularity | None = None
    offset_custom: Annotated[str, BeforeValidator(_text)] = ""
    offset_to_grain: types.TimeGranularity | None = None
    where: list[Annotated[str, BeforeValidator(_text)]] = []

    def build(self) -> MetricInput:
        """The input as the compiler reads it."""
        return MetricInput(
            metric=self.metric,
            alias=self.alias,
            filters=tuple(f.build() for f in self.filters),
            offset_count=self.offset_count,
            offset_granularity=self.offset_granularity,
            offset_custom=self.offset_custom,
            offset_to_grain=self.offset_to_grain,
            where=tuple(self.where),
        )


def _short_use(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


def _short_input(value: object) -> object:
    return {"metric": value} if isinstance(value, str) else value


_Words = Annotated[str, BeforeValidator(_text)]
_SPECIAL: dict[str, Any] = {
    "value_synonyms": dict[_Words, list[_Words]],
}


@cache
def shape_of(cls: Any) -> type[BaseModel]:
    """The pydantic shape of a catalog type: the same keys, unknown keys refused."""
    hints = get_type_hints(cls)
    made: dict[str, Any] = {}
    for field in fields(cls):
        if field.name == _SOURCE:
            continue
        annotation = _SPECIAL.get(field.name) or _annotation(hints[field.name])
        required = field.default is MISSING and field.default_factory is MISSING
        made[field.name] = (annotation, ... if required else _Unset)
    return create_model(cls.__name__, __base__=_Shape, **made)


class _Unset:
    """Stands for a key that was not written."""


_WRITTEN: dict[Any, Any] = {
    str: _Words,
    bool: StrictBool,
    Filter: FilterShape,
    MetricInput: Annotated[InputShape, BeforeValidator(_short_input)],
}


def _annotation(hint: Any) -> Any:
    if hint in _WRITTEN:
        return _WRITTEN[hint]
    if hint is MeasureUse:
        return Annotated[shape_of(MeasureUse), BeforeValidator(_short_use)]
    if isinstance(hint, type) and is_dataclass(hint):
        return shape_of(hint)
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        return list[_annotation(parts[0])]  # type: ignore[misc]
    if type(None) in parts:
        return _optional(_annotation(next(p for p in parts if p is not type(None))))
    return hint


def _optional(inner: Any) -> Any:
    return Optional[inner]  # noqa: UP045


def read_item(cls: Any, value: Plain, document: Document, path: Path_) -> Any:
    """An instance of `cls` from the value at `path`, or a tuple of issues."""
    try:
        shape = shape_of(cls).model_validate(value)
    except ValidationError as bad:
        return tuple(_issue(e, cls, document, path) for e in bad.errors())
    return _build(cls, shape, document.source, path)


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _build(cls: Any, shape: BaseModel, locate: Callable[[Path_], SourceLocation], path: Path_) -> Any:
    hints = _hints(cls)
    given: dict[str, Any] = {}
    for field in fields(cls):
        if field.name == _SOURCE:
            given[_SOURCE] = locate(path)
        elif field.name in shape.model_fields_set:
            held = getattr(shape, field.name)
            given[field.name] = _built(held, hints[field.name], locate, (*path, field.name))
    return cls(**given)


def _built(held: Any, hint: Any, locate: Callable[[Path_], SourceLocation], path: Path_) -> Any:
    if isinstance(held, FilterShape | InputShape):
        return held.build()
    if isinstance(held, BaseModel):
        return _build(_class_in(hint), held, locate, path)
    if isinstance(held, list):
        return tuple(_built(h, hint, locate, (*path, i)) for i, h in enumerate(held))
    if isinstance(held, dict):
        return tuple((k, tuple(v)) for k, v in held.items())
    return held


def _class_in(hint: Any) -> type[Any]:
    if isinstance(hint, type) and is_dataclass(hint):
        return hint
    return next(_class_in(a) for a in get_args(hint) if a is not type(None) and a is not ...)


def _issue(error: ErrorDetails, cls: type[Any], document: Document, path: Path_) -> Issue:
    place = tuple(p for p in error["loc"] if not str(p).startswith(("function-", "list[", "tagged-")))
    where: Path_ = (*path, *place)
    return Issue(
        code=IssueCode.INVALID_CATALOG,
        message=_sentence(error, cls, place),
        source=document.source(where),
    )


def _sentence(error: ErrorDetails, cls: type[Any], place: tuple[str | int, ...]) -> str:
    name = ".".join(str(p) for p in place)
    if error["type"] == "missing":
        return f'"{name}" is missing here.'
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(place[-1]), _known_keys(cls, place), n=1)
        return f'Unknown key "{name}"' + (f'; did you mean "{near[0]}"?' if near else ".")
    if error["type"] == "enum":
        return f'"{name}" must be one of: {_allowed(error)}.'
    detail = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f'"{name or cls.__name__}": {detail}.'


def _allowed(error: ErrorDetails) -> str:
    return str(error.get("ctx", {}).get("expected", "")).replace("'", "")


def _known_keys(cls: type[Any], place: tuple[str | int, ...]) -> list[str]:
    current: Any = cls
    for step in place[:-1]:
        if isinstance(step, str):
            hint = get_type_hints(current).get(step)
            try:
                current = _class_in(hint)
            except StopIteration:
                return []
    return [f.name for f in fields(current) if f.name != _SOURCE]
