"""A statement's tree → a compiled query in one dialect."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from sqlglot import exp

from catalog.compiler.dialects.facts import FACTS, Facts
from catalog.compiler.relying import relied_keys
from catalog.compiler.zones import check_engine
from catalog.query import CompiledQuery, Parameter, ResultColumn


def written(
    tree: exp.Query,
    dialect: str,
    *,
    columns: tuple[ResultColumn, ...],
    tables: Iterable[str],
    parameters: tuple[Parameter, ...] = (),
    notes: tuple[str, ...] = (),
) -> CompiledQuery:
    """The statement in the dialect, which must be one of DIALECTS.  The tree is used up.

    Raises:
        CannotCompile: the engine has no exact form of a part of it.
    """
    facts = FACTS[dialect]
    check_engine(tree, dialect, facts.label)
    keys = relied_keys(tree)
    if facts.steps:
        _tell_types(tree, parameters, facts)
    for step in facts.steps:
        made = step(tree)
        tree = made if isinstance(made, exp.Query) else tree
    return CompiledQuery(
        sql=tree.sql(dialect=dialect, pretty=True, comments=False, identify=True, copy=False),
        dialect=dialect,
        parameters=parameters,
        columns=columns,
        tables=tuple(sorted(tables)),
        notes=notes,
        placeholder=facts.text_style,
        settings=facts.settings,
        keys=keys,
    )


def _tell_types(tree: exp.Query, parameters: tuple[Parameter, ...], facts: Facts) -> None:
    """Times among the bound values are known as such to the steps; some engines want every type in the text."""
    values = {p.name: p.value for p in parameters}
    for node in tree.find_all(exp.Placeholder):
        value = values.get(node.name)
        if facts.typed_parameters is not None:
            node.set("kind", facts.typed_parameters(value))
        if isinstance(value, date):
            node.type = exp.DataType.build("TIMESTAMP" if isinstance(value, datetime) else "DATE")
