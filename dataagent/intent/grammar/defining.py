"""Questions about the catalog itself: meaning, owner, freshness, lineage, what can be asked."""

from __future__ import annotations

from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import Defined, Part, Ref, TimeReading

Parts = tuple[Part, ...]


def about(aspect: str, at: int) -> Build:
    """A builder for the aspect; the object is the child at that position."""

    def build(*children: object) -> Parts | None:
        ref = children[at]
        return (Defined(aspect=aspect, ref=ref),) if isinstance(ref, Ref) else None

    return build


def whole(aspect: str, subject: str = "*") -> Build:
    """A builder for a question about everything, or about a setting."""
    return lambda *_words: (Defined(aspect=aspect, subject=subject),)


def fiscal_year(_what: str, _does: str, reading: TimeReading, _covers: str) -> Parts | None:
    """ "what does FY25 cover"."""
    fiscal = reading.range.expr.startswith(("fy", "fiscal"))
    return (Defined(aspect="definition", subject="calendar.fiscal"),) if fiscal else None


RULES: tuple[Rule, ...] = (
    *rules("H", "WHICH DOES DET? M/D METRICWORD? MEANING", about("definition", 3)),
    *rules("H", "DEFINE DET? M/D METRICWORD?", about("definition", 2)),
    *rules("H", "CALCULATE DET? M/D METRICWORD? DEFINED?", about("definition", 2)),
    *rules("H", "HOWIS DET? M METRICWORD? DEFINED", about("definition", 2)),
    *rules("H", "OWNS DET? M METRICWORD?", about("owner", 2)),
    *rules("H", "WHENWAS DET? M METRICWORD? UPDATED", about("freshness", 2)),
    *rules("H", "FRESH DET? M METRICWORD?", about("freshness", 2)),
    *rules("H", "FEEDS DET? M METRICWORD?", about("lineage", 2)),
    *rules("H", "WHEREDO DET? M METRICWORD? COMEFROM", about("lineage", 2)),
    *rules("H", "CANSEE DET? M METRICWORD?", about("access", 2)),
    *rules("H", "DIMSWITH DET? M", about("list_dimensions", 2)),
    *rules("H", "LISTMETRICS", whole("list_metrics")),
    *rules("H", "LISTPII", whole("list_pii")),
    *rules("H", "HELP", whole("help")),
    *rules("H", "FISCAL", whole("definition", "calendar.fiscal")),
    *rules("H", "WHICH DOES T COVERS", fiscal_year),
)
