"""Names in a query: what they stand for, at which grain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from catalog.types import METRIC_TIME, CatalogSnapshot, TimeGranularity, TimeSpine

PARTS = ("year", "quarter", "month", "day", "dow", "doy")
SIZES = tuple(TimeGranularity)
"""Standard granularities, small to large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A name to group or filter by: `path` of entities, `name`, and for times a `grain` or a date `part`.

    `metric` marks the value of a metric grouped by the entity at the path's end.  With a
    `holder`, the semantic model that has it, the path may leave out whatever is not needed
    to tell one way from another, as a QuerySpec does.
    """

    name: str
    path: tuple[str, ...] = ()
    grain: str | None = None
    part: str | None = None
    metric: bool = False
    holder: str = ""

    @property
    def column(self) -> str:
        """The output column: `listing__ds__month`, `metric_time__extract_dow`."""
        end = f"extract_{self.part}" if self.part else self.grain
        return "__".join((*self.path, self.name, *((end,) if end else ())))

    @property
    def is_metric_time(self) -> bool:
        """Whether this is each measure's own time."""
        return self.name == METRIC_TIME and not self.path


def ref_of(text: str, snapshot: CatalogSnapshot) -> Ref:
    """The name behind `listing__ds__month`, `metric_time`, `listing__user` …"""
    *path, name = (p.lower() for p in text.strip().split("__"))
    if name.startswith("extract_") and path:
        return Ref(path=tuple(path[:-1]), name=path[-1], part=name.removeprefix("extract_"))
    if path and name in grains(snapshot):
        return Ref(path=tuple(path[:-1]), name=path[-1], grain=name)
    return Ref(path=tuple(path), name=name)


def at_grain(ref: Ref, grain: str | None, part: str | None = None) -> Ref:
    """The same name at another grain."""
    return replace(ref, grain=grain.lower() if grain else ref.grain, part=part.lower() if part else ref.part)


def grains(snapshot: CatalogSnapshot) -> frozenset[str]:
    """All granularities, custom ones included."""
    return _grains(snapshot.time_spines)


@lru_cache(maxsize=64)
def _grains(spines: tuple[TimeSpine, ...]) -> frozenset[str]:
    return frozenset((*TimeGranularity, *(name for s in spines for name, _ in s.custom)))


def coarser(left: TimeGranularity, right: TimeGranularity) -> TimeGranularity:
    """The larger of two sizes."""
    return max(left, right, key=SIZES.index)
