"""Each member beside a baseline member: EMEA beside AMER."""

from __future__ import annotations

from dataclasses import replace

from catalog.calculations import Derived, MemberComparison
from catalog.compiler.calculations.changes import changes, missing_notes
from catalog.compiler.calculations.lining import Addition, Source, own_groups
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.calculations.span import inside_of
from catalog.compiler.question import Group
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.query import QuerySpec
from catalog.restate import value_text
from catalog.types import Filter, Operator

_ROWS = "baseline_rows"


def compared_members(setting: Setting, asked: MemberComparison) -> Addition:
    """Each row beside the baseline member's of the same other groups, also where the filters leave that member out."""
    group = setting.group(asked.field, "A comparison of members")
    _check(group, asked)
    others = tuple(g.alias for g in setting.relation.groups if g.shown and g.alias != group.alias)
    relation = setting.other(f"{_ROWS}_", _of_baseline(setting, group, asked))
    source = Source(
        suffix=Derived.BASELINE.value,
        table=_ROWS,
        groups=own_groups(_ROWS, others),
        metrics=tuple(m.name for m in setting.relation.metrics),
        spread=others,
    )
    member = value_text(asked.baseline)
    values, notes = changes(setting, asked.changes, Derived.BASELINE, words=member)
    return Addition(
        queries=(*relation.queries, (_ROWS, relation.rows)),
        sources=(replace(source, inside=inside_of(setting, source.flag)),),
        values=values,
        tables=relation.tables,
        notes=(f"Each {asked.field.replace('_', ' ')} stands beside {member}.", *notes, *_missing(setting, others)),
    )


def _missing(setting: Setting, others: tuple[str, ...]) -> tuple[str, ...]:
    return missing_notes(setting, "for the other member") if others else ()


def _of_baseline(setting: Setting, group: Group, asked: MemberComparison) -> QuerySpec:
    """The spec of the baseline's rows: its member instead of any condition on the field."""
    spec = setting.spec
    where = tuple(f for f in spec.where if not _is_about(setting, f.field, group))
    member = Filter(field=group.reference, op=Operator.EQ, values=(asked.baseline,))
    groups = tuple(g for g in spec.group_by if g.dimension != group.reference)
    return replace(spec, where=(*where, member), group_by=groups, identify_by=())


def _is_about(setting: Setting, field: str, group: Group) -> bool:
    return field == group.reference or lookup(setting.snapshot).held_by(field) == group.held


def _check(group: Group, asked: MemberComparison) -> None:
    if group.held is None or group.is_time:
        message = f"{asked.field} is a time; compare it with an earlier period instead."
        raise stop(IssueCode.WRONG_TYPE, message, subject=asked.field)
    known = group.held.dimension.values
    if known and asked.baseline is not None and asked.baseline not in known:
        message = f"{asked.field} has no {value_text(asked.baseline)}."
        raise stop(IssueCode.UNKNOWN_VALUE, message, subject=str(asked.baseline), choices=known)
