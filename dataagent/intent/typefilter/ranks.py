"""Rankings: what is ranked, by what, in which direction, and how many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.query import Default, Direction, IntentKind, MetricIntent
from catalog.types import CatalogSnapshot, Filter, Polarity, TimeGranularity
from dataagent.intent.parts import Condition, RankBy, Ranked, Ref, Sense
from dataagent.intent.resultparts import PlaceOf
from dataagent.intent.typefilter.members import condition_piece, default_unusable, dimension_choices, group_choice
from dataagent.intent.typefilter.periods import grain_default
from dataagent.intent.typefilter.pieces import Dead, Focus, Order, Piece, Slot, Transform, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import metric_of, stem, stems_of

OPEN_SENSE = "?"
"""Prefix of an order whose measure is still to be chosen; the rest is the sense."""


def direction_of(sense: Sense, metric: str, snapshot: CatalogSnapshot) -> Direction | None:
    """The sort direction of a superlative; None where "best" depends on an undeclared polarity."""
    if sense is Sense.HIGH:
        return Direction.DESC
    if sense is Sense.LOW:
        return Direction.ASC
    found = metric_of(snapshot, metric)
    polarity = found.polarity if found else Polarity.NEUTRAL
    if polarity is Polarity.NEUTRAL:
        return None
    higher = polarity is Polarity.HIGHER_IS_BETTER
    return Direction.DESC if higher is (sense is Sense.GOOD) else Direction.ASC


def ranked_piece(edge: int, part: Ranked, focus: Focus) -> Piece:
    """A ranking over the reading's first metric."""
    if not focus.metrics:
        unmeasured = Order(by=f"{OPEN_SENSE}{part.sense.value}", direction=Direction.DESC)
        return _with_things(edge, part, focus, Write(field="order", value=unmeasured))
    metric = focus.metrics[0]
    direction = direction_of(part.sense, metric, focus.setting.snapshot)
    if direction is None:
        return _both_ways(edge, part, metric)
    order = Write(field="order", value=Order(by=metric, direction=direction))
    if part.ask == "order":
        return piece(edge, order)
    if part.ask == "rank" and part.things is not None:
        return over_things(
            edge, part.things, focus, (order, Write(field="transforms", value=Transform(type="rank"))), ()
        )
    if part.ask.startswith("verb ") and not _verb_fits(part, metric, focus):
        return dead(edge, "unsupported", part.ask.removeprefix("verb "))
    return _with_things(edge, part, focus, order)


def _both_ways(edge: int, part: Ranked, metric: str) -> Piece:
    ways = tuple((Write(field="order", value=Order(by=metric, direction=d)),) for d in Direction)
    return Piece(edge=edge, alternatives=ways, slot=Slot.RANKING, word=part.sense.value)


def _verb_fits(part: Ranked, metric: str, focus: Focus) -> bool:
    wanted = stem(part.ask.removeprefix("verb "))
    names = dimension_choices(part.things, focus) if part.things else ()
    known = [stems_of(focus.setting.snapshot, d.split("__")[-1]) for d in names]
    return any(wanted in stems for stems in (*known, stems_of(focus.setting.snapshot, f"metric:{metric}")))


def _with_things(edge: int, part: Ranked, focus: Focus, order: Write) -> Piece:
    writes = [order]
    defaults: list[Default] = []
    if part.percent is not None:
        share = Transform(type="top_percent", arguments=(("value", part.percent),))
        writes.append(Write(field="transforms", value=share))
    else:
        count, disclosed = count_of(part.number, focus, single=part.single)
        writes.append(Write(field="limit", value=count))
        defaults.extend(disclosed)
    if part.single:
        writes.append(Write(field="kind", value=IntentKind.EXTREME))
    if part.ask == "day":
        writes.append(Write(field="grain", value=TimeGranularity.DAY))
        defaults.append(grain_default(TimeGranularity.DAY))
    if part.things is None:
        return piece(edge, *writes, defaults=tuple(defaults))
    return over_things(edge, part.things, focus, tuple(writes), tuple(defaults))


def count_of(number: int | None, focus: Focus, *, single: bool) -> tuple[int, tuple[Default, ...]]:
    """How many a ranking shows, with the disclosure where nobody named a number."""
    if single:
        return 1, ()
    if number is not None:
        return number, ()
    count = focus.setting.snapshot.defaults.top_n
    return count, (Default(key="top_n", value=str(count), text=f"No number was named: the first {count}."),)


def over_things(
    edge: int, things: Ref, focus: Focus, writes: tuple[Write, ...], defaults: tuple[Default, ...]
) -> Piece:
    """The writes with a grouping by the things, or the rival groupings."""
    settled, disclosed = group_choice(things, focus)
    if not settled and not focus.metrics:
        return piece(edge, *writes, defaults=defaults)
    if not settled:
        return dead(edge, "incompatible", things.surface)
    ways = tuple((Write(field="dimensions", value=d), *writes) for d in settled)
    return Piece(
        edge=edge,
        alternatives=ways,
        slot=Slot.DIMENSION,
        word=things.surface,
        defaults=(*defaults, *disclosed),
        open=default_unusable((things.term, things.surface), settled, focus),
    )


def rank_by_piece(edge: int, part: RankBy, focus: Focus, *, ranked: bool) -> Piece:
    """ "by <metric>": with a ranking it is its measure; alone it needs an order of its own."""
    if ranked and part.sense is None:
        other = part.ref.kind is BoundTo.METRIC and not set(part.ref.targets) & set(focus.metrics)
        return dead(edge, "unsupported", f"by {part.ref.surface}") if other and focus.metrics else piece(edge)
    if part.sense is None or not focus.metrics or part.ref.kind is not BoundTo.METRIC:
        return dead(edge, "unsupported", f"by {part.ref.surface}")
    direction = direction_of(part.sense, focus.metrics[0], focus.setting.snapshot)
    if direction is None:
        return dead(edge, "unsupported", "the order")
    return piece(edge, Write(field="order", value=Order(by=focus.metrics[0], direction=direction)))


def ranked_after(base: MetricIntent, plans: Iterable[MetricIntent]) -> tuple[MetricIntent, ...] | Dead:
    """The edited plans; where the first of something gain a grouping, those of each of its members or of all pairs."""
    found: list[MetricIntent] = []
    for plan in plans:
        added = _added_to_ranking(base, plan)
        if not added:
            found.append(plan)
            continue
        if base.per_group or base.limit is None or len(added) > 1 or added[0] not in plan.dimensions:
            return Dead(code="unsupported", message=_RANKED_ANEW)
        found.extend((replace(plan, per_group=added[0]), plan))
    return tuple(found)


_RANKED_ANEW = (
    "What was ranked before gets another grouping, so it is not clear what is ranked now. "
    "Ask for it as a whole, such as the top 3 of each group."
)


def _added_to_ranking(base: MetricIntent, plan: MetricIntent) -> tuple[str, ...]:
    """The groupings that an edit adds to those of an earlier ranking; none where it ranks anew or replaces them."""
    ranks = base.limit is not None or any(t.type == "rank" for t in base.transforms)
    same = (plan.limit, plan.order, plan.per_group) == (base.limit, base.order, base.per_group)
    if not ranks or not base.order or not same or not set(base.dimensions) <= set(plan.dimensions):
        return ()
    grain = (plan.grain.value,) if plan.grain is not None and base.grain is None else ()
    return (*(d for d in plan.dimensions if d not in base.dimensions), *grain)


def place_piece(edge: int, part: PlaceOf, focus: Focus) -> Piece:
    """Every member with its place by the metric, of which the named one is shown."""
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", part.value.surface)
    base = condition_piece(edge, Condition(values=(part.value,), noun=part.noun, versus=True), focus)
    if base.dead is not None:
        return base
    order = Write(field="order", value=Order(by=focus.metrics[0], direction=Direction.DESC))
    ways = []
    for condition in (w.value for way in base.alternatives for w in way):
        if not isinstance(condition, Filter) or len(condition.values) != 1:
            return dead(edge, "unsupported", part.value.surface)
        arguments = (("field", condition.field), ("value", condition.values[0]))
        ranked = Write(field="transforms", value=Transform(type="rank", arguments=arguments))
        ways.append((Write(field="dimensions", value=condition.field), order, ranked))
    told = Default(key="rank", value="highest", text="The first place is that of the highest figure.")
    return replace(base, alternatives=tuple(ways), defaults=(*base.defaults, told))
