"""Formulas over metrics, by hand: nothing is made of nothing, and a division by zero is empty."""

from __future__ import annotations

import ast
from decimal import Decimal
from typing import Any


def evaluate(text: str, values: dict[str, Any]) -> Any:
    """The formula's value; None where a part is missing or a divisor is 0."""
    return _value(ast.parse(text, mode="eval").body, values)


def _value(node: ast.expr, values: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return Decimal(str(node.value))
    if isinstance(node, ast.Name):
        held = values[node.id]
        return None if held is None else Decimal(held)
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, values)
        return None if inner is None else -inner
    if not isinstance(node, ast.BinOp):
        raise TypeError(ast.dump(node))
    left, right = _value(node.left, values), _value(node.right, values)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Div):
        return None if right == 0 else left / right
    return {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}[type(node.op)]
