"""Cohorts: things by when they came to be ("customers who signed up in May"), and what became of them."""

from __future__ import annotations

from dataclasses import dataclass

from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Metrics, Part, Ref, Things, TimeReading, When
from dataagent.intent.resultparts import Came, CameIn, Did

Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cohort:
    """Things that came to be in a period, before it is said what is asked of them."""

    things: Ref
    verb: Ref
    reading: TimeReading

    def part(self) -> CameIn:
        """The condition on the things."""
        return CameIn(things=self.things, verb=self.verb, reading=self.reading)


def cohort(things: Ref, _who: str, _were: str | None, verb: Ref, _prep: str | None, reading: TimeReading) -> _Cohort:
    """ "customers who signed up in May"."""
    return _Cohort(things=things, verb=verb, reading=reading)


def of_cohort(_of: str, _det: str | None, found: _Cohort) -> Parts:
    """ "orders from customers who signed up in May"."""
    return (found.part(),)


def listed(_list: str | None, _which: str | None, _det: str | None, found: _Cohort) -> Parts:
    """ "list customers who signed up in May"."""
    return (Things(ref=found.things, asked="entity"), found.part())


def listed_that(
    _list: str | None, _which: str | None, _det: str | None, found: _Cohort, _and: str | None, clause: Parts
) -> Parts:
    """ "customers who signed up in May and ordered"."""
    asked = "entity" if all(isinstance(p, Did) for p in clause) else ""
    return (Things(ref=found.things, asked=asked), *clause, found.part())


def counted(_many: str, _det: str | None, found: _Cohort) -> Parts:
    """ "how many customers who signed up in May": as many as came to be then."""
    return (Metrics(refs=(found.verb,), scalar=True), Came(things=found.things, verb=found.verb), *_when(found))


def counted_that(_many: str, _det: str | None, found: _Cohort, _and: str | None, clause: Parts) -> Parts:
    """ "how many customers who signed up in May ordered"."""
    return (Things(ref=found.things, asked="count"), *clause, found.part())


def of_those(_of: str, _det: str | None, found: _Cohort, _comma: str | None, _many: str, clause: Parts) -> Parts:
    """ "of the customers who signed up in May, how many ordered"."""
    return counted_that("", None, found, None, clause)


def came_and(
    _many: str,
    _det: str | None,
    things: Ref,
    _were: str | None,
    verb: Ref,
    _prep: str | None,
    reading: TimeReading,
    _and: str,
    clause: Parts,
) -> Parts:
    """ "how many customers signed up in May and ordered"."""
    return counted_that("", None, _Cohort(things=things, verb=verb, reading=reading), None, clause)


def came(_many: str, _det: str | None, things: Ref, _were: str | None, verb: Ref) -> Parts:
    """ "how many customers signed up": the metric that counts each as it comes to be."""
    return (Metrics(refs=(verb,), scalar=True), Came(things=things, verb=verb))


def _when(found: _Cohort) -> Parts:
    return (When(reading=found.reading),)


RULES: tuple[Rule, ...] = (
    *rules("Coh", "E WHOM WERE? EV TPREP? T", cohort),
    *rules("P", "OFTHINGS DET? Coh", of_cohort),
    *rules("H", "LISTOF? WHICH? DET? Coh", listed),
    *rules("H", "LISTOF? WHICH? DET? Coh AND? Ex/ExDid/Hav/Held", listed_that),
    *rules("H", "HOWMANY DET? Coh", counted),
    *rules("H", "HOWMANY DET? Coh AND? Ex/ExDid/Hav/Held", counted_that),
    *rules("H", "OFTHINGS DET? Coh COMMA? HOWMANY Ex/ExDid/Hav/Held", of_those),
    *rules("H", "HOWMANY DET? E WERE? EV", came),
    *rules("H", "HOWMANY DET? E WERE? EV TPREP? T AND Ex/ExDid/Hav/Held", came_and),
)
