"""Minimum groups: values that too few share are taken out below the query, the same ones for every query.

What is left is safe by itself, so no filter, join or difference of two queries
can single out less than a whole group.  Where groups are too small, the
smallest large enough one is hidden with them: what shows no value is then a
group that is large enough, too.  Where no group is, there are no rows.
"""

from __future__ import annotations

from sqlglot import exp

from catalog.access import MinimumGroup
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.world import Grant, World

_ROWS, _SIZE, _LEAST, _BOUND = "policy_rows", "policy_size", "policy_least", "policy_bound"


def grouped(world: World, grant: Grant, rule: MinimumGroup, plain: exp.Select) -> exp.Select:
    """The stand-in `plain` with the values that too few share taken out.

    Groups are formed by what is seen (after the row filter, with masked values).
    Raises: Stop(policy_invalid) where the rule names a column that the table lacks.
    """
    names = {c.name for c in grant.all_columns}
    if not {*rule.columns, *filter(None, rule.of)} <= names or names & {_SIZE, _LEAST, _BOUND} or rule.at_least < 2:
        raise Stop(Reason.POLICY)
    hidden = {c.name for c in grant.columns} & set(rule.columns)
    if not hidden:
        return plain
    sized = plain.select(exp.alias_(_size(grant, rule, plain, hidden), _SIZE, quoted=True), copy=False)
    measured = _over(sized, [_column(c.name) for c in grant.columns])
    enough = exp.Case(ifs=[exp.If(this=_at_least(rule), true=_column(_SIZE))])
    for name, value in ((_LEAST, _column(_SIZE)), (_BOUND, enough)):
        measured = measured.select(exp.alias_(exp.Window(this=exp.Min(this=value)), name, quoted=True), copy=False)
    measured = measured.select(_column(_SIZE), copy=False)
    shown = [_shown(c.name, rule) if c.name in hidden else _column(c.name) for c in grant.columns]
    found = _over(measured, shown).where(exp.Not(this=exp.Is(this=_column(_BOUND), expression=exp.Null())), copy=False)
    return found if world.dialect == "duckdb" else found.offset(0, copy=False)


def _over(inner: exp.Select, items: list[exp.Expr]) -> exp.Select:
    return exp.Select(expressions=items).from_(inner.subquery(_quoted(_ROWS), copy=False), copy=False)


def _shown(name: str, rule: MinimumGroup) -> exp.Expr:
    """The value where its group is large enough and needs not hide others; NULL elsewhere."""
    alone = exp.GTE(this=_column(_LEAST), expression=exp.Literal.number(rule.at_least))
    larger = exp.GT(this=_column(_SIZE), expression=_column(_BOUND))
    visible = exp.Or(this=larger, expression=alone)
    return exp.alias_(exp.Case(ifs=[exp.If(this=visible, true=_column(name))]), name, quoted=True)


def _at_least(rule: MinimumGroup) -> exp.Expr:
    return exp.GTE(this=_column(_SIZE), expression=exp.Literal.number(rule.at_least))


def _size(grant: Grant, rule: MinimumGroup, plain: exp.Select, hidden: set[str]) -> exp.Expr:
    """How many share the group of a row: the fewest, where several things are counted."""
    shared = [e.unalias() for c, e in zip(grant.columns, plain.expressions, strict=True) if c.name in hidden]
    counts = [_different(grant, of, shared) if of else _window(exp.Count(this=exp.Star()), shared) for of in rule.of]
    if not counts:
        return _window(exp.Count(this=exp.Star()), shared)
    return counts[0] if len(counts) == 1 else exp.Least(this=counts[0], expressions=counts[1:])


def _different(grant: Grant, of: str, shared: list[exp.Expr]) -> exp.Expr:
    """How many different `of` there are: ranks from both ends, as no engine counts different ones in a window.

    Rows without an `of` may be anybody's, so they count for nobody.
    """
    person = exp.Column(this=_quoted(of), table=_quoted(grant.table))
    ranks = [
        _window(exp.DenseRank(), shared, exp.Ordered(this=person.copy(), desc=desc, nulls_first=desc))
        for desc in (False, True)
    ]
    missing = exp.Case(
        ifs=[exp.If(this=exp.Is(this=person, expression=exp.Null()), true=exp.Literal.number(1))],
        default=exp.Literal.number(0),
    )
    both = exp.Sub(this=exp.Add(this=ranks[0], expression=ranks[1]), expression=exp.Literal.number(1))
    return exp.Sub(this=both, expression=_window(exp.Max(this=missing), shared))


def _window(call: exp.Expr, shared: list[exp.Expr], ordered: exp.Expr | None = None) -> exp.Expr:
    order = exp.Order(expressions=[ordered]) if ordered is not None else None
    return exp.Window(this=call, partition_by=[e.copy() for e in shared], order=order)


def _column(name: str) -> exp.Column:
    return exp.Column(this=_quoted(name), table=_quoted(_ROWS))


def _quoted(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)
