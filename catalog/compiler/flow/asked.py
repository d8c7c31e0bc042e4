"""The sides of a typed question in a catalog that keeps time on a spine."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.filters import condition
from catalog.compiler.flow.compile import inner_query
from catalog.compiler.flow.conversion import conversion_queries
from catalog.compiler.flow.periods import Flow
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.flow.side import Named, joins_of, side_queries
from catalog.compiler.plan import Leaf
from catalog.compiler.question import Group, Question, bounds
from catalog.compiler.refs import Ref
from catalog.compiler.scans import JoinsOf
from catalog.compiler.side import Side
from catalog.compiler.stop import stop
from catalog.compiler.templates import Condition
from catalog.compiler.time import within
from catalog.issues import IssueCode
from catalog.lookup import Held, lookup
from catalog.types import METRIC_TIME, Calendar, Dimension, DimensionType, Filter, TimeGranularity

_HOLE = exp.column("ref_0")
_OWN_TIME = Dimension(name=METRIC_TIME, type=DimensionType.TIME, expr=METRIC_TIME)
_BY_WEEKDAY = {TimeGranularity.WEEK}
_BY_FISCAL = {TimeGranularity.QUARTER, TimeGranularity.YEAR}


def spine_sides(question: Question, bindings: Bindings) -> Callable[[tuple[Leaf, ...], str], Side]:
    """How to make each side: with the question's conditions and window bound, in MetricFlow's order of steps."""
    conditions = tuple(_asked(question, bindings))
    notes = _notes(question)

    def side(leaves: tuple[Leaf, ...], name: str) -> Side:
        read: set[str] = set()
        flow = _flow(question, bindings, read)
        made = _queries(flow, tuple(_under(flow, leaf, conditions) for leaf in leaves), name)
        return Side(ctes=made, tables=frozenset(read), notes=notes, overlapping=False)

    return side


def spine_joins(question: Question) -> JoinsOf:
    """Which tables the side of a leaf joins."""

    def joins(leaf: Leaf) -> Hashable:
        bindings = Bindings()
        flow = _flow(question, bindings, set())
        return joins_of(flow, _under(flow, leaf, tuple(_asked(question, bindings))))

    return joins


def _flow(question: Question, bindings: Bindings, read: set[str]) -> Flow:
    return Flow(
        snapshot=question.snapshot,
        query=FlowQuery(group_by=tuple(_ref(g) for g in question.groups)),
        window=(None, None),
        inner=inner_query(question.snapshot, read),
        read=read,
        whole=question.spec.time_range if question.range_on is None else None,
        bindings=bindings,
        reach=question.reach,
    )


def _queries(flow: Flow, leaves: tuple[Leaf, ...], name: str) -> tuple[Named, ...]:
    if leaves[0].followed is not None:
        return conversion_queries(flow, leaves[0], leaves[0].name, name)
    return side_queries(flow, [(leaf.name, leaf) for leaf in leaves], name)


def _under(flow: Flow, leaf: Leaf, conditions: tuple[Condition, ...]) -> Leaf:
    """The leaf under the question's conditions, the definition's typed ones included."""
    model = lookup(flow.snapshot).models[leaf.model]
    if not any(d.name == leaf.time_dimension for d in model.dimensions):
        message = f"The measure {leaf.measure.name} has no time dimension of its own."
        raise stop(IssueCode.INVALID_CATALOG, message, subject=leaf.measure.name)
    after = (*conditions, *leaf.after) if leaf.on_spine else ()
    return replace(leaf, where=(*conditions, *leaf.where), after=after)


def _ref(group: Group) -> Ref:
    *path, name = group.reference.split("__")
    grain = str(group.grain) if group.grain else group.custom or None
    part = str(group.part) if group.part else None
    return Ref(name=name, path=tuple(path), grain=grain, part=part, holder=group.held.model.name if group.held else "")


def _asked(question: Question, bindings: Bindings) -> list[Condition]:
    found = [_condition(given, held, bindings) for given, held in question.where]
    window = question.spec.time_range
    if window is not None and question.range_on is not None and bounds(question.spec):
        tests = within(_HOLE, window, bindings)
        ref = _named(question.spec.time_dimension or METRIC_TIME, question.range_on)
        found.append(Condition(text=repr(window), refs=(ref,), tree=exp.and_(*tests)))
    return found


def _condition(given: Filter, held: Held | None, bindings: Bindings) -> Condition:
    dimension = held.dimension if held else _OWN_TIME
    tree = condition(given, _HOLE, dimension, bindings)
    return Condition(text=repr(given), refs=(_named(given.field, held),), tree=tree)


def _named(reference: str, held: Held | None) -> Ref:
    *path, name = reference.split("__")
    return Ref(name=name, path=tuple(path), holder=held.model.name if held else "")


def _notes(question: Question) -> tuple[str, ...]:
    """Where the spine's weeks and quarters are not the workspace's."""
    calendar, usual = question.snapshot.calendar, Calendar()
    grains = {g.grain for g in question.groups}
    notes: list[str] = []
    if grains & _BY_WEEKDAY and calendar.week_start != usual.week_start:
        notes.append("Weeks start on Monday here, as this catalog's metrics are defined.")
    if grains & _BY_FISCAL and (calendar.quarter_basis == "fiscal" or calendar.fiscal.start_month != 1):
        notes.append("Quarters and years are those of the calendar here, as this catalog's metrics are defined.")
    return tuple(notes)
