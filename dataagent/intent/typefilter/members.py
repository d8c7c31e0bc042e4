"""Which dimension a word or a member means, once the metric is known."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.query import Default
from catalog.types import CatalogSnapshot, DimensionType, Filter, Operator, Scalar, TimeGranularity
from dataagent.intent.parts import Condition, Declared, Flag, Groups, Part, Ranked, Ref, ValueRef
from dataagent.intent.typefilter.clocks import without_part
from dataagent.intent.typefilter.pieces import Focus, Piece, Slot, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import (
    entity_of_dimension,
    held_of,
    is_personal,
    label_of_entity,
    reach_of_entity,
    shown,
    stem,
    stems_of,
    type_of,
)

_NOT_GROUPED = {DimensionType.NUMBER, DimensionType.TIME}


def dimension_choices(ref: Ref, focus: Focus) -> tuple[str, ...]:
    """The reachable dimensions that a word can mean here; entities stand for their label."""
    snapshot = focus.setting.snapshot
    if ref.kind is BoundTo.ENTITY:
        labels = (label_of_entity(snapshot, e) for e in ref.targets)
        return tuple(d for d in labels if d is not None and d in focus.reach)
    found = tuple(d for name in ref.targets for d in _reached(name, focus))
    return found if len(found) > 1 or not ref.term else _by_head(ref.term, found, focus)


def _by_head(term: str, found: tuple[str, ...], focus: Focus) -> tuple[str, ...]:
    """The metric's own dimension whose name ends in a loose word, where the declared readings do not compete."""
    own = [d for d in _same_head(term, focus) if entity_of_dimension(focus.setting.snapshot, d) == focus.entity]
    return tuple(own) if len(own) == 1 else found


def _reached(name: str, focus: Focus) -> tuple[str, ...]:
    """The ways in which a dimension is reached: itself, or one name per join path."""
    if focus.reaches(name):
        return (name,)
    suffix = f"__{name.rsplit('__', maxsplit=1)[-1]}"
    return tuple(sorted(d for d in focus.reach if "__" in d and d.endswith(suffix) and "__" not in name))


def _same_head(term: str, focus: Focus) -> tuple[str, ...]:
    """Reachable dimensions whose name ends in the ambiguous word ("channel" → ticket_channel)."""
    head = term.replace(" ", "_")
    return tuple(sorted(d for d in focus.reach if d == head or d.endswith(f"_{head}")))


def _settled(ref: Ref, found: tuple[str, ...], focus: Focus) -> tuple[tuple[str, ...], tuple[Default, ...]]:
    """The choices after declared defaults, with what has to be disclosed."""
    if len(found) < 2:
        disclosed = _by_reach(ref, found) if ref.term and found and len(ref.targets) > 1 else ()
        return found, disclosed
    declared = declared_default(ref.term or ref.surface, found, focus)
    return ((declared[0],), (declared[1],)) if declared else (found, ())


def default_unusable(terms: tuple[str, ...], found: tuple[str, ...], focus: Focus) -> bool:
    """Whether the owner's declared reading of the term is not among the choices: none other takes its place."""
    return any(
        d.entity == focus.entity and d.dimension not in found
        for d in focus.setting.snapshot.term_defaults
        if set(terms) & {d.term, f"{d.term}s", _plural(d.term)}
    )


def _by_reach(ref: Ref, found: tuple[str, ...]) -> tuple[Default, ...]:
    text = f"“{ref.surface}” can only mean {shown(found[0])} here."
    return (Default(key=ref.term, value=found[0], text=text),)


def declared_default(term: str, found: tuple[str, ...], focus: Focus) -> tuple[str, Default] | None:
    """The owner's declared reading of a term for the metric's entity, when it is among the choices."""
    for default in focus.setting.snapshot.term_defaults:
        forms = {default.term, f"{default.term}s", _plural(default.term)}
        if default.entity == focus.entity and default.dimension in found and term in forms:
            others = tuple(d for d in found if d != default.dimension)
            text = f"Took {shown(default.dimension)} for “{term}”, as its owner declared."
            return default.dimension, Default(key=default.term, value=default.dimension, text=text, alternatives=others)
    return None


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


def group_pieces(edge: int, part: Groups, focus: Focus) -> tuple[Piece, ...]:
    """Groupings: one dimension each."""
    if part.own:
        return tuple(_own_group(edge, ref, focus) for ref in part.refs)
    return tuple(_group(edge, ref, focus) for ref in part.refs)


def _own_group(edge: int, ref: Ref, focus: Focus) -> Piece:
    """A column of the things that are listed, or by which is grouped: exactly one, and no default decides."""
    snapshot = focus.setting.snapshot
    owners = {entity_of_dimension(snapshot, d) for d in focus.grouped} if focus.metrics else {focus.entity}
    found = [d for d in dimension_choices(ref, focus) if entity_of_dimension(snapshot, d) in owners]
    if len(found) != 1 or len(owners) != 1 or not _groupable(snapshot, found[0]):
        return dead(edge, "incompatible", ref.surface)
    if is_personal(snapshot, found[0]):
        return dead(edge, "pii", ref.surface)
    return piece(edge, Write(field="dimensions", value=found[0]))


def group_choice(ref: Ref, focus: Focus) -> tuple[tuple[str, ...], tuple[Default, ...]]:
    """The dimensions that a word leaves to group by, and what has to be disclosed."""
    found = tuple(d for d in dimension_choices(ref, focus) if _groupable(focus.setting.snapshot, d))
    return _settled(ref, found, focus)


def grouped_by(parts: Iterable[Part], focus: Focus) -> frozenset[str]:
    """The dimensions that the phrases name for certain to group by or to rank."""
    refs: list[Ref] = []
    for part in parts:
        if isinstance(part, Groups) and not part.own:
            refs += part.refs
        elif isinstance(part, Ranked) and part.things is not None:
            refs.append(part.things)
    settled = (group_choice(ref, focus)[0] for ref in refs)
    return frozenset(found[0] for found in settled if len(found) == 1)


_GRAINS = {g.value: g for g in TimeGranularity}


def _timed(edge: int, ref: Ref, focus: Focus) -> Piece | None:
    """ "by signup month": a time dimension whose words end in a granularity."""
    snapshot = focus.setting.snapshot
    grain = _GRAINS.get(ref.surface.split()[-1])
    found = [d for d in dimension_choices(ref, focus) if type_of(snapshot, d) is DimensionType.TIME]
    if grain is None or len(found) != 1:
        return None
    return piece(edge, Write(field="grain", value=grain), Write(field="time_dimension", value=found[0]))


def _group(edge: int, ref: Ref, focus: Focus) -> Piece:
    timed = _timed(edge, ref, focus)
    if timed is not None:
        return timed
    settled, defaults = group_choice(ref, focus)
    if not settled:
        return dead(edge, "incompatible", ref.surface)
    missing = next((m for d in settled if (m := without_part(d, focus))), "")
    if missing:
        return dead(edge, "incompatible", ref.surface, missing)
    if any(is_personal(focus.setting.snapshot, d) and not _is_label(d, focus) for d in settled):
        return dead(edge, "pii", ref.surface)
    ways = tuple((Write(field="dimensions", value=d),) for d in settled)
    open_ = default_unusable((ref.term, ref.surface), settled, focus)
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=ref.surface, defaults=defaults, open=open_)


def _is_label(dimension: str, focus: Focus) -> bool:
    """Whether the dimension is how things of its entity are shown; policy masks it where needed."""
    snapshot = focus.setting.snapshot
    return label_of_entity(snapshot, entity_of_dimension(snapshot, dimension)) == dimension


def _groupable(snapshot: CatalogSnapshot, dimension: str) -> bool:
    return type_of(snapshot, dimension) not in _NOT_GROUPED


def value_choices(part: Condition, focus: Focus) -> tuple[str, ...]:
    """The reachable dimensions that hold all members of a condition, narrowed by its noun and verb."""
    common = [d for d, _ in part.values[0].choices]
    for value in part.values[1:]:
        held = {d for d, _ in value.choices}
        common = [d for d in common if d in held]
    found = tuple(d for name in common for d in _reached(name, focus))
    if part.noun is not None:
        found = tuple(d for d in found if _fits_noun(d, part.noun, focus))
    if part.verb:
        wanted = stem(part.verb)
        found = tuple(d for d in found if wanted in stems_of(focus.setting.snapshot, d.split("__")[-1]))
    return found


def _fits_noun(dimension: str, noun: Ref, focus: Focus) -> bool:
    if noun.kind is BoundTo.DIMENSION:
        return dimension in noun.targets or dimension in dimension_choices(noun, focus)
    return any(dimension in reach_of_entity(focus.setting.snapshot, e) for e in noun.targets)


def condition_piece(edge: int, part: Condition, focus: Focus) -> Piece:
    """A condition on members of one dimension, or the rival dimensions."""
    found = value_choices(part, focus)
    words = " ".join(v.surface for v in part.values)
    if not found:
        return unknown_value(edge, f"{part.verb} … {words}" if part.verb else words, focus)
    settled, defaults = _settled_value(part, found, focus)
    grouped = focus.grouped.issuperset(settled)
    named = grouped or (part.noun is not None and not part.noun.term)
    open_ = not named and _family_default_unusable(settled, focus)
    ways: tuple[tuple[Write, ...], ...] = tuple((Write(field="filters", value=_filter(d, part)),) for d in settled)
    if len(part.values) > 1 and not (grouped or part.either or part.negated or part.versus):
        sides = tuple((*way, Write(field="dimensions", value=d)) for d, way in zip(settled, ways, strict=True))
        ways = (*ways, *sides)
    return Piece(edge=edge, alternatives=ways, slot=Slot.VALUE, word=words, defaults=defaults, open=open_)


def unknown_value(edge: int, words: str, focus: Focus) -> Piece:
    """A member that nothing within reach has: the same words, whether it is a member of something else or hidden."""
    about = shown(focus.metrics[0]) if focus.metrics else focus.entity or "this question"
    message = f"I do not know “{words}” as something that {about} can be narrowed down to."
    return dead(edge, "unknown_value", words, message)


def _family_default_unusable(found: tuple[str, ...], focus: Focus) -> bool:
    """Whether the members belong to a term whose declared reading is another dimension than theirs."""
    snapshot = focus.setting.snapshot
    for default in snapshot.term_defaults:
        family = {c for a in snapshot.ambiguous_terms if a.term == default.term for c in a.candidates}
        if set(found) <= family | {default.dimension} and default_unusable((default.term,), found, focus):
            return True
    return False


def _settled_value(
    part: Condition, found: tuple[str, ...], focus: Focus
) -> tuple[tuple[str, ...], tuple[Default, ...]]:
    if len(found) < 2:
        return found, ()
    parted = [d for d in found if d in focus.grouped]
    if len(parted) == 1 and (part.negated or len(part.values) > 1):
        return _of_the_groups(part, parted[0], found)
    declared = _default_for_values(found, focus)
    if declared is not None:
        return (declared[0],), (declared[1],)
    snapshot = focus.setting.snapshot
    own = tuple(d for d in found if entity_of_dimension(snapshot, d) == focus.entity)
    if len(own) != 1:
        return found, ()
    words = " ".join(v.surface for v in part.values)
    others = tuple(d for d in found if d != own[0])
    text = f"Read “{words}” as {shown(own[0])}; it is also a {' and a '.join(shown(o) for o in others)}."
    return own, (Default(key=f"value:{words}", value=own[0], text=text, alternatives=others),)


def _of_the_groups(part: Condition, own: str, found: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Default, ...]]:
    """ "Orders by store country without Japan": what is left out, or picked, are groups that would be shown."""
    words = " ".join(v.surface for v in part.values)
    text = f"Read “{words}” as {shown(own)}, by which the answer is grouped."
    others = tuple(d for d in found if d != own)
    return (own,), (Default(key=f"value:{words}", value=own, text=text, alternatives=others),)


def _default_for_values(found: tuple[str, ...], focus: Focus) -> tuple[str, Default] | None:
    """A declared default that covers the rival dimensions: a term under which all of them are filed."""
    snapshot = focus.setting.snapshot
    for default in snapshot.term_defaults:
        family = {c for a in snapshot.ambiguous_terms if a.term == default.term for c in a.candidates}
        if set(found) <= family | {default.dimension}:
            return declared_default(default.term, found, focus)
    return None


def _members(dimension: str, value: ValueRef) -> tuple[str, ...]:
    name = dimension.rsplit("__", maxsplit=1)[-1]
    return next((m for d, m in value.choices if d == dimension or d.split("__")[-1] == name), ())


def _filter(dimension: str, part: Condition) -> Filter:
    members: tuple[Scalar, ...] = tuple(dict.fromkeys(m for v in part.values for m in _members(dimension, v)))
    if len(members) == 1:
        op = Operator.NE if part.negated else Operator.EQ
    else:
        op = Operator.NOT_IN if part.negated else Operator.IN
    return Filter(field=dimension, op=op, values=members)


def flag_piece(edge: int, part: Flag, focus: Focus) -> Piece:
    """A yes / no dimension as a condition."""
    found = tuple(
        d for d in dimension_choices(part.ref, focus) if type_of(focus.setting.snapshot, d) is DimensionType.BOOLEAN
    )
    if not found:
        return dead(edge, "incompatible", part.ref.surface)
    ways = tuple((Write(field="filters", value=Filter(field=d, op=Operator.EQ, values=(part.value,))),) for d in found)
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=part.ref.surface)


_OPPOSITE = {
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
    Operator.IN: Operator.NOT_IN,
    Operator.NOT_IN: Operator.IN,
}


def declared_piece(edge: int, part: Declared, focus: Focus) -> Piece:
    """A declared adjective as its filter."""
    for adjective in focus.setting.snapshot.adjectives:
        if adjective.word != part.word or adjective.filter.field not in focus.reach:
            continue
        condition = adjective.filter
        if part.negated:
            condition = _denied(condition)
        return piece(edge, Write(field="filters", value=condition))
    return dead(edge, "incompatible", part.word)


def _denied(condition: Filter) -> Filter:
    if condition.values in ((True,), (False,)):
        return Filter(field=condition.field, op=condition.op, values=(condition.values == (False,),))
    return Filter(field=condition.field, op=_OPPOSITE.get(condition.op, condition.op), values=condition.values)


def is_place(snapshot: CatalogSnapshot, dimension: str) -> bool:
    """Whether the dimension says where something is."""
    held = held_of(snapshot, dimension)
    return held is not None and held.dimension.type is DimensionType.GEO
