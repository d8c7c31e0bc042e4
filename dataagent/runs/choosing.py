"""A clarification and the person's choice → the meaning that was chosen."""

from __future__ import annotations

from dataclasses import replace

from dataagent.intent.types import Binding, Decision, Option, Understanding

SEVERAL = "/"
"""Stands between the targets of a word with several meanings."""


def chosen(understood: Understanding, choice: int | None) -> Understanding:
    """What the option means; the understanding as it was where nothing was asked or the choice does not fit."""
    if choice is None or understood.decision is not Decision.CLARIFY or not 0 <= choice < len(understood.options):
        return understood
    option = understood.options[choice]
    if option.intent is None:
        return understood
    return replace(
        understood,
        decision=Decision.ANSWER,
        intent=option.intent,
        certificate=tuple(_settled(b, option) for b in understood.certificate),
        restatement=option.question or option.label,
        prompt="",
        options=(),
    )


def _settled(binding: Binding, option: Option) -> Binding:
    """A word with several meanings, now with the one that was chosen."""
    if SEVERAL not in binding.target:
        return binding
    return replace(binding, target=option.label, note="your choice")
