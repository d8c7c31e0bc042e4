"""Lists of things with their columns, in an order: "the names and areas of all lakes", "top 5 cities by population"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.rankings import is_plural, whole
from dataagent.intent.parts import Condition, Groups, Number, Part, Ref, Sense, Sorted, Things, ValueRef

Parts = tuple[Part, ...]
Refs = tuple[Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _First:
    """What comes first: which way, how many ("top 5"), and by which column ("with the highest rating")."""

    sense: Sense
    number: Number | None = None
    by: Ref | None = None


def name_column(_det: str | None, _name: str) -> Refs:
    """ "the names": what the things are called, which a list shows anyway."""
    return ()


def name_and(_det: str | None, _name: str, _and: str, rest: Refs) -> Refs:
    """ "the names and areas"."""
    return rest


def and_name(columns: Refs, _and: str, _det: str | None, _name: str) -> Refs:
    """ "the areas and names"."""
    return columns


def column(_det: str | None, ref: Ref) -> Refs:
    """One column."""
    return (ref,)


def more_columns(first: Refs, _and: str, rest: Refs) -> Refs:
    """Columns in a row."""
    return (*first, *rest)


def columns_of(_lead: str | None, columns: Refs, _of: str) -> Refs:
    """ "what are the names and areas of all", before the things."""
    return columns


def listed(columns: Refs, _det: str | None, values: tuple[ValueRef, ...] | None, things: Ref) -> Parts:
    """ "the names and areas of the lakes"."""
    condition = (Condition(values=values),) if values else ()
    return (Things(ref=things, asked="list", fields=columns), *condition)


def which_are(_which: str, values: tuple[ValueRef, ...] | None, things: Ref, _are: str) -> Parts | None:
    """ "which stores are …": a condition has to follow; a single thing is no list."""
    return listed((), None, values, things) if is_plural(things.surface) else None


def with_their(_their: str, columns: Refs) -> Parts:
    """ "… with their city and country"."""
    return (Groups(refs=columns, own=True),)


def sorted_by(_by: str, _det: str | None, ref: Ref, order: Sense | None) -> Parts:
    """ "ordered by city", "sorted by rating descending"."""
    return (Sorted(ref=ref, sense=order),)


def alphabetical(_words: str) -> Parts:
    """ "in alphabetical order"."""
    return (Sorted(),)


def tops(sense: Sense, number: Number | None) -> _First:
    """ "top 5"."""
    return _First(sense=sense, number=number)


def number_tops(number: Number, sense: Sense) -> _First:
    """ "5 largest"."""
    return _First(sense=sense, number=number)


def claimed(_with: str | None, sense: Sense, ref: Ref) -> _First:
    """ "with the highest rating"."""
    return _First(sense=sense, by=ref)


def by_column(_by: str, _det: str | None, ref: Ref) -> Ref:
    """ "by population"."""
    return ref


def first_by(_list: str | None, _det: str | None, first: _First, things: Ref, ref: Ref) -> Parts | None:
    """ "top 5 cities by population", "largest lake by area"."""
    count = whole(first.number)
    if (first.number is not None and count is None) or first.sense not in {Sense.HIGH, Sense.LOW}:
        return None
    single = first.number is None and not is_plural(things.surface)
    order = Sorted(ref=ref, sense=first.sense, number=1 if single else count, ranks=True)
    return (Things(ref=things, asked="list"), order)


def first_with(_list: str | None, _det: str | None, first: _First, things: Ref, claim: _First) -> Parts | None:
    """ "top 3 restaurants with the highest rating": the superlatives have to say the same."""
    if claim.by is None or first.sense is not claim.sense:
        return None
    return first_by(None, None, first, things, claim.by)


def with_first(_list: str | None, _det: str | None, things: Ref, claim: _First) -> Parts | None:
    """ "the city with the highest population", "cities with the largest population"."""
    return first_with(None, None, replace(claim, by=None), things, claim)


def which_first(_which: str, number: Number | None, things: Ref, _has: str | None, claim: _First) -> Parts | None:
    """ "which five cities have the highest population"."""
    return first_with(None, None, replace(claim, by=None, number=number), things, claim)


def columns_of_first(columns: Refs, det: str | None, first: _First, things: Ref, claim: _First) -> Parts | None:
    """ "the names of the top 3 restaurants with the highest rating"."""
    found = first_with(None, det, first, things, claim)
    return None if found is None else (Things(ref=things, asked="list", fields=columns), *found[1:])


def columns_of_one(columns: Refs, det: str | None, things: Ref, claim: _First) -> Parts | None:
    """ "the name and area of the lake with the largest area"."""
    return columns_of_first(columns, det, replace(claim, by=None), things, claim)


RULES: tuple[Rule, ...] = (
    *rules("Fields", "DET? NAMEWORD", name_column),
    *rules("Fields", "DET? NAMEWORD AND OwnFields", name_and),
    *rules("Fields", "OwnFields AND DET? NAMEWORD", and_name),
    *rules("Fields", "OwnFields", lambda c: c),
    *rules("OwnFields", "DET? D", column),
    *rules("OwnFields", "OwnFields AND OwnFields", more_columns),
    *rules("FieldsOf", "LISTOF/GIVEME? Fields OFALL", columns_of),
    *rules("First", "Sense N?", tops),
    *rules("First", "N Sense", number_tops),
    *rules("Claim", "WITH Super D", claimed),
    *rules("OwnClaim", "HAS? Super D", claimed),
    *rules("ByField", "BYWORD DET? D", by_column),
    *rules("H", "FieldsOf DET? VL? E", listed),
    *rules("H", "FieldsOf DET? First E Claim", columns_of_first),
    *rules("H", "FieldsOf DET? E Claim", columns_of_one),
    *rules("H", "WHICH VL? E AREIN", which_are),
    *rules("H", "LISTOF? DET? First E ByField", first_by),
    *rules("H", "LISTOF? DET? First E Claim", first_with),
    *rules("H", "LISTOF? DET? E Claim", with_first),
    *rules("H", "WHICH N? E LIGHT? OwnClaim", which_first),
    *rules("P", "ANDTHEIR OwnFields", with_their),
    *rules("P", "SORTBY DET? D/M Ord?", sorted_by),
    *rules("P", "ALPHABETICAL", alphabetical),
)
