"""What a list or a yes / no question is about."""

from __future__ import annotations

from catalog.calculated import ASKED_DIRECTION
from catalog.query import Default, IntentKind
from catalog.specs import EACH_OF, EVERY
from catalog.types import DimensionType
from dataagent.intent.parts import Formula, Groups, Part, Ref, Subjects, Things, Truth
from dataagent.intent.typefilter.members import default_unusable, group_choice
from dataagent.intent.typefilter.pieces import Focus, Piece, Slot, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import (
    count_metrics,
    entity_of_dimension,
    is_personal,
    key_of_entity,
    label_of_entity,
    metric_of,
    stem,
    stems_of,
    type_of,
)

_LISTABLE = {DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO}


def things_piece(edge: int, part: Things, focus: Focus) -> Piece:
    """A list of things: by their label, or as an entity list where the label is personal data."""
    if part.asked == "values":
        return _distinct(edge, part, focus)
    if part.asked == "all":
        return _all_of(edge, part, focus)
    if part.asked == "list" and focus.metrics:
        return dead(edge, "unsupported", part.ref.surface)
    if part.asked == "list":
        writes = (
            Write(field="kind", value=IntentKind.ENTITY_LIST),
            Write(field="entity", value=focus.entity),
        )
        return _with_fields(edge, part, focus, writes)
    if not focus.metrics:
        return dead(edge, "unsupported", part.ref.surface)
    settled, defaults = group_choice(part.ref, focus)
    if not settled:
        return dead(edge, "incompatible", part.ref.surface)
    if part.asked in _OF_THINGS:
        return _of_things(edge, part, focus)
    snapshot = focus.setting.snapshot
    if part.ref.kind is BoundTo.ENTITY and any(is_personal(snapshot, d) for d in settled):
        writes = (Write(field="kind", value=IntentKind.ENTITY_LIST), Write(field="entity", value=part.ref.targets[0]))
        return piece(edge, *writes, defaults=defaults)
    ways = tuple((Write(field="dimensions", value=d),) for d in settled)
    open_ = default_unusable((part.ref.term, part.ref.surface), settled, focus)
    return Piece(
        edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=part.ref.surface, defaults=defaults, open=open_
    )


_OF_THINGS = {
    "count": (Write(field="kind", value=IntentKind.ENTITY_COUNT), Write(field="answer_shape", value="scalar")),
    "exists": (Write(field="kind", value=IntentKind.EXISTS), Write(field="answer_shape", value="boolean")),
    "every": (
        Write(field="kind", value=IntentKind.BOOLEAN),
        Write(field="answer_shape", value="boolean"),
        Write(field="notes", value=(EVERY, True)),
    ),
    "entity": (Write(field="kind", value=IntentKind.ENTITY_LIST),),
}


def _of_things(edge: int, part: Things, focus: Focus) -> Piece:
    """The things that meet what is asked: a list, how many, whether any, whether all."""
    entity = _entity_of(part.ref, focus)
    if entity is None:
        return dead(edge, "unsupported", part.ref.surface)
    return piece(edge, Write(field="entity", value=entity), *_OF_THINGS[part.asked])


def _entity_of(ref: Ref, focus: Focus) -> str | None:
    """The entity that the words name, by its own name or by that of its key ("SKUs")."""
    if len(ref.targets) != 1:
        return None
    if ref.kind is BoundTo.ENTITY:
        return ref.targets[0]
    owner = entity_of_dimension(focus.setting.snapshot, ref.targets[0])
    return owner if owner and key_of_entity(focus.setting.snapshot, owner) == ref.targets[0] else None


def _all_of(edge: int, part: Things, focus: Focus) -> Piece:
    """How many things there are, where no metric counts them."""
    entity = _entity_of(part.ref, focus)
    snapshot = focus.setting.snapshot
    if focus.metrics or entity is None or count_metrics(snapshot, entity):
        return dead(edge, "unsupported", part.ref.surface)
    return piece(edge, Write(field="entity", value=entity), *_OF_THINGS["count"])


def _distinct(edge: int, part: Things, focus: Focus) -> Piece:
    snapshot = focus.setting.snapshot
    if focus.metrics or len(part.ref.targets) != 1 or type_of(snapshot, part.ref.targets[0]) not in _LISTABLE:
        return dead(edge, "unsupported", part.ref.surface)
    if is_personal(snapshot, part.ref.targets[0]):
        return dead(edge, "pii", part.ref.surface)
    kind = Write(field="kind", value=IntentKind.DISTINCT_VALUES)
    return piece(edge, kind, Write(field="dimensions", value=part.ref.targets[0]))


def _with_fields(edge: int, part: Things, focus: Focus, writes: tuple[Write, ...]) -> Piece:
    columns: list[Write] = []
    for ref in part.fields:
        found = tuple(d for d in ref.targets if d in focus.reach)
        own = tuple(d for d in found if entity_of_dimension(focus.setting.snapshot, d) == focus.entity)
        chosen = own or found
        if len(chosen) != 1:
            return dead(edge, "incompatible", ref.surface)
        if is_personal(focus.setting.snapshot, chosen[0]):
            return dead(edge, "unsupported", ref.surface)
        if chosen[0] != label_of_entity(focus.setting.snapshot, focus.entity):
            columns.append(Write(field="dimensions", value=chosen[0]))
    return piece(edge, *writes, *columns)


def subject_pieces(edge: int, part: Subjects, focus: Focus, parts: tuple[Part, ...]) -> tuple[Piece, ...]:
    """Each subject as a group; a key of the same entity that the question names stands for it."""
    if part.verb and not _licensed(part, focus):
        return (dead(edge, "unsupported", part.verb),)
    named = [ref for other in parts if isinstance(other, Groups) for ref in other.refs]
    return tuple(_subject(edge, ref, focus, named) for ref in part.refs)


def _licensed(part: Subjects, focus: Focus) -> bool:
    """Whether the verb occurs among the words of the metric or of a subject."""
    snapshot = focus.setting.snapshot
    names = [f"metric:{m}" for m in focus.metrics] + [f"entity:{e}" for r in part.refs for e in r.targets]
    return any(stem(part.verb) in stems_of(snapshot, name) for name in names)


def _subject(edge: int, ref: Ref, focus: Focus, named: list[Ref]) -> Piece:
    snapshot = focus.setting.snapshot
    for other in named:
        for dimension in other.targets:
            keyed = type_of(snapshot, dimension) is DimensionType.ID
            if keyed and dimension in focus.reach and entity_of_dimension(snapshot, dimension) in ref.targets:
                return _one_by_one(edge, ref, focus, (dimension,))
    settled, defaults = group_choice(ref, focus)
    if not settled:
        return dead(edge, "incompatible", ref.surface)
    return _one_by_one(edge, ref, focus, settled, defaults)


def _one_by_one(
    edge: int, ref: Ref, focus: Focus, choices: tuple[str, ...], defaults: tuple[Default, ...] = ()
) -> Piece:
    """A group for each of the things; what belongs to none of them is no group, and that is said."""
    snapshot = focus.setting.snapshot
    ways = []
    for dimension in choices:
        key = key_of_entity(snapshot, entity_of_dimension(snapshot, dimension))
        present = key if key is not None and key in focus.reach else dimension
        ways.append((Write(field="dimensions", value=dimension), Write(field="notes", value=(EACH_OF, present))))
    told = Default(key=EACH_OF, value=choices[0], text=f"What belongs to no {ref.surface} is left out.")
    return Piece(edge=edge, alternatives=tuple(ways), slot=Slot.DIMENSION, word=ref.surface, defaults=(*defaults, told))


def formula_piece(edge: int, part: Formula, focus: Focus) -> Piece:
    """A stated formula that equals the metric's own; anything else stops."""
    snapshot = focus.setting.snapshot
    metric = metric_of(snapshot, focus.metrics[0]) if len(focus.metrics) == 1 else None
    if metric is None or metric.numerator is None or metric.denominator is None:
        return dead(edge, "unsupported", "the stated formula")
    if metric.numerator.filters or metric.denominator.filters:
        return dead(edge, "unsupported", "the stated formula")
    top, bottom = _meant(part.numerator, focus), _meant(part.denominator, focus)
    if top == (metric.numerator.metric,) and bottom == (metric.denominator.metric,):
        return piece(edge, Write(field="notes", value=("stated_formula", "agrees with the catalog")))
    return dead(edge, "unsupported", "the stated formula, which differs from the catalog's")


def _meant(ref: Ref, focus: Focus) -> tuple[str, ...]:
    if ref.kind is BoundTo.ENTITY:
        return tuple(m for e in ref.targets for m in count_metrics(focus.setting.snapshot, e))
    return ref.targets


def truth_piece(edge: int, part: Truth, focus: Focus) -> Piece:
    """A yes / no question over the metric."""
    shape = Write(field="answer_shape", value="boolean")
    if part.kind.startswith("direction"):
        asked = part.kind.partition(" ")[2]
        return piece(edge, shape, *((Write(field="notes", value=(ASKED_DIRECTION, asked)),) if asked else ()))
    kind = IntentKind.EXISTS if part.kind == "exists" else IntentKind.BOOLEAN
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", "the yes / no question")
    return piece(edge, Write(field="kind", value=kind), shape)
