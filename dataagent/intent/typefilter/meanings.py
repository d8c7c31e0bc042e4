"""Ambiguous words of which one meaning is left for the asker: never taken without saying so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.query import Default
from dataagent.intent.parts import Edit, Measured, Metrics, Part, RankBy, Ranked, Ref
from dataagent.intent.typefilter.pieces import Focus, Piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import shown


def told_meanings(parts: Iterable[Part], focus: Focus) -> Piece:
    """What has to be disclosed about ambiguous words that a single metric of the plan stands for."""
    found: list[Default] = []
    for ref in (ref for part in parts for ref in _metric_refs(part)):
        taken = tuple(m for m in ref.targets if m in focus.metrics)
        if ref.term and len(ref.targets) > 1 and len(taken) == 1:
            others = tuple(m for m in ref.targets if m not in taken and focus.setting.permitted(m))
            text = f"“{ref.surface}” is taken as {shown(taken[0])}."
            found.append(Default(key=ref.term, value=taken[0], text=text, alternatives=others))
    return Piece(edge=-1, defaults=tuple(dict.fromkeys(found)))


def _metric_refs(part: Part) -> Iterator[Ref]:
    refs: tuple[Ref | None, ...] = ()
    if isinstance(part, Metrics | Edit):
        refs = part.refs
    elif isinstance(part, RankBy | Measured):
        refs = (part.ref,)
    elif isinstance(part, Ranked):
        refs = (part.by,)
    yield from (ref for ref in refs if ref is not None and ref.kind is BoundTo.METRIC)
