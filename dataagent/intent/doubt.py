"""Readings that English leaves open although each word is bound: they stop instead of guessing."""

from __future__ import annotations

import re
from dataclasses import replace

from catalog.surfaces import normalise_surface
from catalog.types import CatalogSnapshot, TimeGranularity
from dataagent.intent.candidate import Candidate, Dead
from dataagent.intent.oneyear import year_guessed
from dataagent.intent.parts import Edit, Groups, Metrics, Part, Ref, Summed, When
from dataagent.intent.types import BoundTo
from dataagent.intent.view import label_of_entity

_SUM = re.compile(r"\b(?:sum|total) (?:of|between)\b")
_NO_YEAR = frozenset({"season", "year"})


def beyond_doubt(candidate: Candidate, words: tuple[str, ...], snapshot: CatalogSnapshot) -> Candidate:
    """The reading, or the reading with the reason why it must not be answered."""
    if candidate.dead is not None:
        return candidate
    parts = [p for edge in candidate.edges for p in edge.meaning]
    reason = _sum_of_several(parts, words) or _month_of_years(candidate, parts) or _measured_group(parts, snapshot)
    return replace(candidate, dead=reason) if reason else candidate


def _sum_of_several(parts: list[Part], words: tuple[str, ...]) -> Dead | None:
    """ "sum of A and B": one number that no metric declares, or a number for each."""
    named = {ref.targets for p in parts if isinstance(p, Metrics | Edit) for ref in p.refs if ref.kind is not _DIM}
    if len(named) < 2 or any(isinstance(p, Summed) for p in parts) or not _SUM.search(" ".join(words)):
        return None
    message = "Different metrics are not added up into one number here. Ask for each of them side by side."
    return Dead(code="unsupported", message=message)


_DIM = BoundTo.DIMENSION


def _month_of_years(candidate: Candidate, parts: list[Part]) -> Dead | None:
    """ "in May by year": the latest May, or the May of every year."""
    if candidate.intent.grain is not TimeGranularity.YEAR:
        return None
    guessed = year_guessed(candidate.intent.defaults_used)
    open_year = any(isinstance(p, When) and p.reading.why in _NO_YEAR for p in parts)
    if not guessed and not open_year:
        return None
    message = "By year, a period without a year can mean one year or that part of every year. Name the year."
    return Dead(code="unsupported", message=message)


def _measured_group(parts: list[Part], snapshot: CatalogSnapshot) -> Dead | None:
    """ "A per region and orders per brand": a word that also names a metric, listed as a group."""
    refs = [ref for p in parts if isinstance(p, Groups) for ref in p.refs]
    for position, ref in enumerate(refs):
        listed = position > 0 or not any(label_of_entity(snapshot, e) for e in ref.targets)
        if ref.kind is BoundTo.ENTITY and listed and _names_a_metric(ref, snapshot):
            message = (
                f"“{ref.surface}” can be something to measure or something to group by here. "
                "Ask for one metric at a time, or group by the name of a field."
            )
            return Dead(code="unsupported", message=message)
    return None


def _names_a_metric(ref: Ref, snapshot: CatalogSnapshot) -> bool:
    """Whether exactly this word, in this number, is a metric's name or synonym."""
    said = ref.surface.casefold()
    names = (n for m in snapshot.metrics for n in (m.name.replace("_", " "), m.label, *m.synonyms))
    return any(normalise_surface(n or "") == normalise_surface(said) and _same_number(n, said) for n in names)


def _same_number(name: str | None, said: str) -> bool:
    return (name or "").casefold().endswith("s") == said.endswith("s")
