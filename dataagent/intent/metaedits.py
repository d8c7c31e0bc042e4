"""Follow-ups about the turn before rather than edits of it: a fresh start, why, what a figure is."""

from __future__ import annotations

from dataclasses import replace

from catalog.query import Default, IntentKind, MetricIntent
from dataagent.intent.candidate import Candidate, Dead
from dataagent.intent.chart import Edge
from dataagent.intent.parts import Edit
from dataagent.intent.typefilter.pieces import Comparison, Transform

_META = {"reset": IntentKind.RESET, "explain": IntentKind.EXPLAIN_LAST}
_DEFINES = "define:"
"""How an edit begins that asks what the earlier figure is; its aspect follows."""


def is_meta(edit: Edit) -> bool:
    """Whether the edit is about the turn before, and not of its plan."""
    return edit.op in {*_META, "why"} or edit.op.startswith(_DEFINES)


def meta_of(path: tuple[Edge, ...], edit: Edit, base: MetricIntent) -> Candidate:
    """The reading of such an edit: a plan of its own, or that of an explanation."""
    paths = tuple(("kind",) for _ in path)
    if edit.op.startswith(_DEFINES):
        return _defined(path, edit.op.removeprefix(_DEFINES), base)
    if edit.op != "why":
        return Candidate(intent=MetricIntent(kind=_META[edit.op]), edges=path, paths=paths)
    if len(base.metrics) != 1 or base.time_range is None or base.time_range.start is None:
        return Candidate(intent=base, edges=path, dead=Dead(code="unsupported", words=("why",)))
    default = Default(key="comparison", value="previous_period", text="Compared with the period before.")
    why = replace(
        base,
        kind=IntentKind.CONTRIBUTION,
        comparison=Comparison(type="previous_period", calc=("diff",)),
        transforms=(Transform(type="contribution"),),
        defaults_used=(*base.defaults_used, default),
    )
    return Candidate(intent=why, edges=path, paths=paths)


def _defined(path: tuple[Edge, ...], aspect: str, base: MetricIntent) -> Candidate:
    """ "What does it mean?": about the one metric of the plan before."""
    if len(base.metrics) != 1:
        return Candidate(intent=base, edges=path, dead=Dead(code="unsupported", words=("it",)))
    asked = MetricIntent(kind=IntentKind.DEFINE, subject=base.metrics[0], aspect=aspect)
    return Candidate(intent=asked, edges=path, paths=tuple(("subject", "aspect") for _ in path))
