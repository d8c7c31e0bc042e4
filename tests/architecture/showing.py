"""Which fields of which dataclasses the templates show: a walk over the parsed templates, with types."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from django.template.base import FilterExpression, Node, NodeList, Variable, VariableNode
from django.template.defaulttags import ForNode, IfNode, URLNode, WithNode
from django.template.library import SimpleNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode

Names = dict[str, Any]
UNTYPED = {"forloop": Any, "messages": Any, "True": bool, "False": bool, "None": type(None)}
PASSED_OR_EMPTY = {"session_id": str, "out_of_band": bool}
"""What a part is given by some of its pages only."""


@dataclass
class Shown:
    """What a walk has found: fields that are shown, and names that stand for nothing."""

    fields: set[tuple[type, str]] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)


def show(template: str, names: Names, found: Shown) -> None:
    """Walk a template, its parts and the page around it."""
    _nodes(get_template(template).template.nodelist, names, template, found)


def _nodes(nodes: NodeList, names: Names, where: str, found: Shown) -> None:
    for node in nodes:
        _node(node, names, where, found)


def _node(node: Node, names: Names, where: str, found: Shown) -> None:
    for expression in _expressions(node):
        _type_of(expression, names, where, found)
    if isinstance(node, ForNode):
        element = _element(_type_of(node.sequence, names, where, found))
        _nodes(node.nodelist_loop, names | dict.fromkeys(node.loopvars, element), where, found)
        _nodes(node.nodelist_empty, names, where, found)
    elif isinstance(node, IfNode):
        for _condition, nodes in node.conditions_nodelists:
            _nodes(nodes, names, where, found)
    elif isinstance(node, WithNode | IncludeNode):
        given = {k: _type_of(v, names, where, found) for k, v in node.extra_context.items()}
        if isinstance(node, WithNode):
            _nodes(node.nodelist, names | given, where, found)
        else:
            show(node.template.var, names | given, found)
    elif isinstance(node, ExtendsNode):
        _nodes(node.nodelist, names, where, found)
        show(node.parent_name.var, names, found)
    elif isinstance(node, BlockNode):
        _nodes(node.nodelist, names, where, found)


def _expressions(node: Node) -> Iterator[Any]:
    if isinstance(node, VariableNode):
        yield node.filter_expression
    elif isinstance(node, URLNode | SimpleNode):
        yield from (*node.args, *node.kwargs.values())
    elif isinstance(node, IfNode):
        for condition, _nodes_of in node.conditions_nodelists:
            yield from _operands(condition)


def _operands(condition: Any) -> Iterator[Any]:
    if condition is None:
        return
    if hasattr(condition, "text"):
        yield condition.value
        return
    yield from _operands(condition.first)
    yield from _operands(condition.second)


def _type_of(expression: FilterExpression, names: Names, where: str, found: Shown) -> Any:
    for _filter, given in expression.filters:
        for is_variable, argument in given:
            if is_variable:
                _lookup(argument, names, where, found)
    if not isinstance(expression.var, Variable):
        return str
    looked_up = _lookup(expression.var, names, where, found)
    return Any if expression.filters else looked_up


def _lookup(variable: Variable, names: Names, where: str, found: Shown) -> Any:
    if variable.lookups is None:
        return type(variable.literal)
    root, *steps = variable.lookups
    known = UNTYPED | PASSED_OR_EMPTY | names
    if root not in known:
        found.unknown.append(f"{where}: {variable.var}")
        return Any
    reached = known[root]
    for step in steps:
        reached = _step(_present(reached), step, found)
        if reached is None:
            found.unknown.append(f"{where}: {variable.var}")
            return Any
    return reached


def _step(holder: Any, step: str, found: Shown) -> Any:
    """The type behind one dot, or None where there is nothing."""
    if holder is Any:
        return Any
    if step.isdecimal() and get_origin(holder) is tuple:
        return _element(holder)
    hints = get_type_hints(holder) if is_dataclass(holder) else {}
    if step in hints:
        found.fields.add((holder, step))
    return hints.get(step)


def _present(hint: Any) -> Any:
    """The type without None."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(a for a in get_args(hint) if a is not type(None))
    return hint


def _element(hint: Any) -> Any:
    parts = get_args(_present(hint))
    return parts[0] if parts else Any
