"""Ambiguous words of which one meaning is left for the asker: never taken without saying so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.query import Default
from dataagent.intent.parts import (
    Edit,
    Measured,
    Metrics,
    Part,
    RankBy,
    Ranked,
    Ref,
)
from dataagent.intent.resultparts import (
    Present,
)
from dataagent.intent.typefilter.pieces import Focus, Piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import shown


def told_meanings(parts: Iterable[Part], focus: Focus) -> Piece:
    """What has to be disclosed about ambiguous words that a single metric of the plan stands for."""
    found: list[Default] = []
    for ref in (ref for part in parts for ref in _metric_refs(part)):
        left = tuple(m for m in ref.targets if focus.setting.permitted(m))
        if ref.others:
            text = f"Took {shown(ref.targets[0])} for “{ref.surface}”, as its owner declared."
            key, others = ref.term or ref.surface, tuple(m for m in ref.others if focus.setting.permitted(m))
            found.append(Default(key=key, value=ref.targets[0], text=text, alternatives=others))
        if ref.term and len(ref.targets) > 1 and len(left) == 1:
            text = f"“{ref.surface}” is taken as {shown(left[0])}."
            found.append(Default(key=ref.term, value=left[0], text=text))
    return Piece(edge=-1, defaults=tuple(dict.fromkeys(found)))


def _metric_refs(part: Part) -> Iterator[Ref]:
    refs: tuple[Ref | None, ...] = ()
    if isinstance(part, Metrics | Edit):
        refs = part.refs
    elif isinstance(part, RankBy | Measured | Present):
        refs = (part.ref,)
    elif isinstance(part, Ranked):
        refs = (part.by,)
    yield from (ref for ref in refs if ref is not None and ref.kind is BoundTo.METRIC)
