"""Comparisons of periods, members and metrics; calculations over the result."""

from __future__ import annotations

from dataclasses import replace

from catalog.calculated import FISCAL_YEAR
from catalog.shared import OVER
from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import (
    Calculated,
    Chart,
    Compared,
    Condition,
    Groups,
    Metrics,
    Number,
    Open,
    Part,
    Ref,
    TimeReading,
    Truth,
    ValueRef,
    Versus,
    When,
)

Parts = tuple[Part, ...]
_GRAIN_OF = {g.value: g for g in TimeGranularity}


def over(which: str) -> Parts:
    """ "week over week", "yoy"."""
    if which == "year_ago":
        return (Compared(type="year_ago"),)
    return (Compared(type="previous_period", anchor=_GRAIN_OF[which]),)


def against(_vs: str, _det: str | None, base: TimeReading) -> Parts:
    """ "vs last month"."""
    return (Compared(type="", base=base),)


def year_ago(_vs: str, _word: str) -> Parts:
    """ "vs same period last year"."""
    return (Compared(type="year_ago"),)


def previous(_vs: str, word: str) -> Parts:
    """ "vs the month before"."""
    return (Compared(type="previous_period", relative=word),)


def whole_before(_vs: str, word: str) -> Parts:
    """ "vs the whole month before": more days than the running period has."""
    return (Compared(type="custom", relative=f"whole {word}"),)


def all_of(_vs: str, _all: str, _det: str | None, base: TimeReading) -> Parts:
    """ "vs all of 2023": also where the asked period still runs."""
    return (Compared(type="custom", base=base, relative="whole"),)


def change(calc: tuple[str, ...]) -> Build:
    """A builder of "percentage change in M T vs T"."""

    def build(_lead: str, metrics: Metrics, time: Parts, comparison: Parts) -> Parts:
        compared = comparison[0]
        assert isinstance(compared, Compared)  # noqa: S101
        return (metrics, *time, Compared(type=compared.type, calc=calc, base=compared.base, relative=compared.relative))

    return build


def ratio_of_periods(
    _ratio: str, metrics: Metrics, time: Parts, _to: str, _det: str | None, base: TimeReading
) -> Parts:
    """ "ratio of refunds in May 2025 to May 2024"."""
    return (metrics, *time, Compared(type="custom", calc=("ratio",), base=base))


def sides(first: ValueRef, _vs: str, second: ValueRef) -> Versus | None:
    """Two members of one dimension side by side."""
    shared = {d for d, _ in first.choices} & {d for d, _ in second.choices}
    return Versus(values=(first, second)) if shared else None


def versus(_compare: str | None, _det: str | None, pair: Versus, noun: Ref | None) -> Parts:
    """ "gold and silver customers" compared, "mobile vs desktop"."""
    return (Versus(values=pair.values, noun=noun),)


def versus_first(pair: Versus, noun: Ref | None, metrics: Metrics) -> Parts:
    """ "in-store against online gross revenue"."""
    return (Versus(values=pair.values, noun=noun), metrics)


def compare_on(_compare: str, pair: Versus, noun: Ref | None, _on: str | None, metrics: Metrics) -> Parts:
    """ "compare France and Germany on orders"."""
    return (Versus(values=pair.values, noun=noun), metrics)


def difference(_lead: str, metrics: Metrics, _between: str, pair: Versus, noun: Ref | None) -> Parts:
    """ "difference in AOV between gold and silver customers"."""
    return (metrics, Versus(values=pair.values, noun=noun))


def two_metrics(first: Metrics, _vs: str, second: Metrics) -> Parts | None:
    """ "orders vs sessions"."""
    if first.count or second.count:
        return None
    return (Metrics(refs=(*first.refs, *second.refs), versus=True),)


def share(_share: str, metrics: Metrics, _from: str | None, condition: Parts) -> Parts | None:
    """ "share of net revenue from Electronics"."""
    member = condition[0]
    if len(metrics.refs) != 1 or not isinstance(member, Condition) or member.negated:
        return None
    return (metrics, member, Calculated(type="share_of_total"))


def share_described(_share: str, values: tuple[ValueRef, ...], metric: Ref) -> Parts:
    """ "share of online orders"."""
    return (Metrics(refs=(metric,)), Condition(values=values), Calculated(type="share_of_total"))


def share_by(_share: str, metrics: Metrics) -> Parts | None:
    """ "share of net revenue (by category)": over the grouping that has to follow."""
    return (metrics, Calculated(type="share_of_total")) if len(metrics.refs) == 1 else None


def share_within(
    share: str, metrics: Metrics, _by: str, _det: str | None, part: Ref, _within: str, whole: Ref
) -> Parts | None:
    """ "share of orders by sales channel within each region": of each region's own whole."""
    found = share_by(share, metrics)
    if found is None or len(part.targets) != 1 or part.targets == whole.targets:
        return None
    calculated = Calculated(type="share_of_total", arguments=((OVER, part.targets[0]),))
    return (metrics, Groups(refs=(whole, part)), calculated)


def share_of_all(_share: str, metrics: Metrics) -> Parts | None:
    """ "share of all net revenue (by category)": what the question leaves out is in the whole."""
    found = share_by(_share, metrics)
    return (*found[:-1], Calculated(type="share_of_total", arguments=(("whole", "all"),))) if found else None


def side_by_side(_compare: str, metrics: Metrics) -> Parts | None:
    """ "compare orders and sessions"."""
    return (metrics,) if len(metrics.refs) > 1 else None


def unmeasured(_compare: str, pair: Versus, noun: Ref | None) -> Parts:
    """ "compare Paris and London": by which metric is open."""
    return (Versus(values=pair.values, noun=noun),)


def periods_unmeasured(_compare: str, first: TimeReading, _to: str, second: TimeReading) -> Parts:
    """ "compare this month to last month": by which metric is open."""
    return (When(reading=first), Compared(type="", base=second))


def up_or_down(_be: str, metrics: Metrics, up: str, _from: str, base: TimeReading) -> Parts | None:
    """ "is net revenue up or down from last quarter": the running period against the named one."""
    return (metrics, Compared(type="", base=base, relative="running"), Truth(kind=_ASKED.get(up, "direction")))


_ASKED = {"up": "direction up", "higher": "direction up", "down": "direction down", "lower": "direction down"}


def each_change(_change: str) -> Parts:
    """ "percent change" behind a series: each period against the one before."""
    return (Compared(type="previous_period", calc=("pct",), relative="series"),)


def correlated(_lead: str, first: Metrics, _and: str, second: Metrics) -> Parts | None:
    """ "relationship between A and B"."""
    if len(first.refs) != 1 or len(second.refs) != 1:
        return None
    return (Metrics(refs=(*first.refs, *second.refs)), Calculated(type="correlation"))


def why(_why: str, metrics: Metrics, changed: str) -> Parts:
    """ "why did net revenue drop": a decomposition of the change and of its way, never a cause."""
    return (metrics, _reasons(changed))


def why_there(_why: str, metrics: Metrics, first: Parts, second: Parts | None, changed: str) -> Parts:
    """ "why did net revenue in EMEA fall", "why did orders from the web in May drop"."""
    return (metrics, *first, *(second or ()), _reasons(changed))


def why_such(_why: str, values: tuple[ValueRef, ...], metrics: Metrics, changed: str) -> Parts:
    """ "why did web orders fall"."""
    return (metrics, Condition(values=values), _reasons(changed))


def _reasons(changed: str, *, most: bool = False) -> Calculated:
    way = next((name for name, stems in _WAYS.items() if changed.startswith(stems)), "")
    arguments = ((("direction", way),) if way else ()) + ((("most", True),) if most else ())
    return Calculated(type="contribution", arguments=arguments)


def why_by(_why: str, grain: TimeGranularity, metrics: Metrics, changed: str) -> Parts:
    """ "why did weekly active customers dip": the same of periods of one size."""
    return (metrics, replace(_reasons(changed), grain=grain))


def contributed(_which: str, ref: Ref, verb: str, _det: str | None, changed: str, _in: str, metrics: Metrics) -> Parts:
    """ "which regions contributed most to the drop in orders": the same by the dimension that is named."""
    return (metrics, _reasons(changed, most="most" in verb), Groups(refs=(ref,)))


def driven(_what: str, _det: str | None, changed: str, _in: str, metrics: Metrics) -> Parts:
    """ "what drove the change in net revenue"."""
    return (metrics, _reasons(changed))


def correlated_with(_be: str, first: Metrics, _with: str, second: Metrics) -> Parts | None:
    """ "is discount amount correlated with orders"."""
    return correlated("", first, "", second)


def chart_of(words: str) -> Parts:
    """ "a line chart of": what is wanted of the figures that follow."""
    kind = next((k for k in ("line", "bar") if k in words.split()), "")
    return (Chart(visual=kind),)


_WAYS = {
    "decrease": ("drop", "fall", "fell", "declin", "decreas", "go down", "went d", "gone d", "dip", "plung", "down",
                 "so low"),
    "increase": ("ris", "rose", "increas", "grow", "grew", "go up", "went u", "gone u", "jump", "spike", "up", "so h"),
}  # fmt: skip


def statistic(kind: str) -> Build:
    """A builder of a statistic over a numeric dimension."""
    return lambda _word, field: (Calculated(type=kind, ref=field),)


def percentile(number: Number, _th: str | None, _word: str, field: Ref) -> Parts | None:
    """ "90th percentile of order value"."""
    if not isinstance(number.value, int) or number.unit or not 0 < number.value < 100:
        return None
    return (Calculated(type="percentile", arguments=(("p", number.value),), ref=field),)


def median(_word: str, field: Ref) -> Parts:
    """ "median order value"."""
    return (Calculated(type="percentile", arguments=(("p", 50),), ref=field),)


def average_open(_average: str, _per: str, things: Ref) -> Parts:
    """ "average per customer": of what is open."""
    return (Groups(refs=(things,)), Open(slot="metric", word="average", dropped=True))


def running(_running: str, metrics: Metrics) -> Parts:
    """ "running total of orders"."""
    return (metrics, Calculated(type="running_total"))


def restarting(_restart: str, grain: TimeGranularity) -> Parts:
    """ "restarting each year": where a running total begins anew."""
    return (Calculated(type="restart", arguments=(("restart", grain.value),)),)


def restarting_fiscal(_restart: str, _year: str) -> Parts:
    """ "restarting each fiscal year"."""
    return (Calculated(type="restart", arguments=(("restart", FISCAL_YEAR),)),)


def moving(_det: str | None, number: Number, grain: TimeGranularity, _moving: str, metrics: Metrics) -> Parts | None:
    """ "3-month moving average of MRR"."""
    if not isinstance(number.value, int) or number.unit:
        return None
    arguments = (("window", number.value), ("unit", grain.value))
    return (metrics, Calculated(type="moving_average", arguments=arguments, grain=grain))


def rolling(_rolling: str, number: Number, grain: TimeGranularity, _of: str, metrics: Metrics) -> Parts | None:
    """ "rolling 4-week average of sessions"."""
    return moving(None, number, grain, "", metrics)


def per_metric(first: Metrics, _per: str, second: Ref) -> Parts | None:
    """ "net revenue per visitor": one metric over another."""
    if first.count or len(first.refs) != 1:
        return None
    return (Metrics(refs=(*first.refs, second)), Calculated(type="ratio"))


def percent_of(first: Metrics, _as: str, _det: str | None, second: Ref) -> Parts | None:
    """ "net revenue as a percentage of gross revenue"."""
    found = per_metric(first, "", second)
    return (found[0], Calculated(type="ratio", arguments=(("as", "percent"),))) if found else None


def sides_of(first: ValueRef, one: Ref, vs: str, second: ValueRef, other: Ref) -> Versus | None:
    """ "gold customers vs silver customers"."""
    return sides(first, vs, second) if one.targets == other.targets else None


def versus_sides(_of: str | None, pair: Versus) -> Parts:
    """ "AOV of gold customers vs silver customers"."""
    return (pair,)


def average_per(_average: str, metrics: Metrics, _per: str, grain: TimeGranularity) -> Parts | None:
    """ "average number of tickets per week"."""
    if len(metrics.refs) != 1:
        return None
    return (metrics, Calculated(type="average_per", arguments=(("grain", grain.value),), grain=grain))


def charted(visual: str) -> Build:
    """A builder of the wish for a chart."""
    return lambda *_words: (Chart(visual=visual),)


def percent_over(_change: str, metrics: Metrics, which: str) -> Parts | None:
    """ "percentage change in orders month over month"."""
    compared = over(which)[0]
    if len(metrics.refs) != 1 or not isinstance(compared, Compared):
        return None
    return (metrics, replace(compared, calc=("pct",)))


RULES: tuple[Rule, ...] = (
    *rules("H", "PCTCHANGE Met POP", percent_over),
    *rules("P", "POP", over),
    *rules("Cmp", "COMPAREP DET? T", against),
    *rules("Cmp", "COMPAREP YEARAGO", year_ago),
    *rules("Cmp", "COMPAREP PREVIOUS", previous),
    *rules("Cmp", "COMPAREP WHOLEBEFORE", whole_before),
    *rules("Cmp", "COMPAREP ALLOF DET? T", all_of),
    *rules("P", "Cmp", lambda c: c),
    *rules("Tm", "TPREP? T", lambda _prep, reading: (When(reading=reading),)),
    *rules("H", "PCTCHANGE Met Tm Cmp", change(("pct",))),
    *rules("H", "CHANGE/DIFFERENCE Met Tm Cmp", change(("diff",))),
    *rules("H", "RATIO Met Tm TO DET? T", ratio_of_periods),
    *rules("Pair", "V VS V", sides),
    *rules("Pair2", "V AND/TO/VS V", sides),
    *rules("P", "COMPARE? DET? Pair D/E?", versus),
    *rules("H", "Pair D/E? Met", versus_first),
    *rules("H", "COMPARE Pair2 D/E? FORWORD? Met", compare_on),
    *rules("H", "DIFFERENCE Met BETWEEN Pair2 D/E?", difference),
    *rules("H", "Met VS Met", two_metrics),
    *rules("CF", "PREP? CV", lambda _prep, condition: (condition,)),
    *rules("H", "SHARE Met COMESFROM? CF", share),
    *rules("H", "SHARE Met", share_by),
    *rules("H", "SHARE Met BY DET? D WITHINEACH D/E", share_within),
    *rules("H", "SHAREALL Met", share_of_all),
    *rules("H", "SHARE VL M", share_described),
    *rules("H", "COMPARE Mets", side_by_side),
    *rules("H", "COMPARE Pair2 D/E?", unmeasured),
    *rules("H", "COMPARE T TO T", periods_unmeasured),
    *rules("H", "WEIGHT Met UPDOWN FROMTHAN T", up_or_down),
    *rules("P", "PCTTAIL", each_change),
    *rules("H", "CORRELATE Met AND Met", correlated),
    *rules("H", "WEIGHT Met CORRELATED Met", correlated_with),
    *rules("L", "CHARTOF", chart_of),
    *rules("H", "WHY Met CHANGED", why),
    *rules("H", "WHY Met P P? CHANGED", why_there),
    *rules("H", "WHY VL Met CHANGED", why_such),
    *rules("H", "WHY GA Met CHANGED", why_by),
    *rules("H", "WHICH D/E CONTRIBUTED DET? CHANGENOUN/DOWNNOUN/UPNOUN INWORD Met", contributed),
    *rules("H", "WHATDROVE DET? CHANGENOUN/DOWNNOUN/UPNOUN INWORD Met", driven),
    *rules("H", "MAXIMUM D", statistic("max")),
    *rules("H", "MINIMUM D", statistic("min")),
    *rules("H", "MEDIAN D", median),
    *rules("H", "N/NTH ORDINAL? PERCENTILE D", percentile),
    *rules("H", "AVERAGE PERENT E/D", average_open),
    *rules("H", "RUNNING Met", running),
    *rules("P", "RESTART GA", restarting),
    *rules("P", "RESTART FISCALYEARS", restarting_fiscal),
    *rules("H", "DET? N GW MOVING Met", moving),
    *rules("H", "ROLLINGWORD N GW AVERAGEOF Met", rolling),
    *rules("H", "Met PERM M", per_metric),
    *rules("H", "Met ASPCTOF DET? M", percent_of),
    *rules("PairE", "V E/D VS V E/D", sides_of),
    *rules("P", "PREP? PairE", versus_sides),
    *rules("H", "AVERAGE Met EVERYPER GW", average_per),
    *rules("P", "LINECHART", charted("line")),
    *rules("P", "BARCHART", charted("bar")),
    *rules("P", "ASTABLE", charted("table")),
    *rules("L", "PLOT", lambda _word: (Chart(visual=""),)),
)
