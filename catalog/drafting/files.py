"""A draft as YAML files of our own: one per model, with what its owner has to decide written above it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

import yaml

from catalog.content import encode
from catalog.drafting.types import Draft, Suggestion
from catalog.types import Metric, SemanticModel

_MADE = "A draft that nobody has reviewed, made from the warehouse's own names, types and constraints; no row was read."
_OBSERVED = "A draft that nobody has reviewed, made from names, types and constraints, and from counts that show keys."
_REVIEW = "When you have reviewed a model or a metric, remove its line `status: draft`."
_WIDTH = 110
_STAMP = "# As drafted: "


def files_of(draft: Draft) -> dict[str, str]:
    """The text of each file by its path, in order; the same draft gives the same text.

    The last line of a file says what stood above it, so that a reviewer's change is seen: see `is_untouched`.
    """
    snapshot = draft.snapshot
    asked: defaultdict[str, list[Suggestion]] = defaultdict(list)
    for suggestion in draft.suggestions:
        asked[suggestion.model].append(suggestion)
    by_measure = {m.measure: m for m in snapshot.metrics}
    head: dict[str, Any] = {"catalog": {"name": snapshot.name, "dialect": snapshot.dialect}}
    if snapshot.entities:
        head["entities"] = [_plain(e) for e in snapshot.entities]
    if snapshot.bridges:
        head["bridges"] = [_plain(b) for b in snapshot.bridges]
    observed = any(e.observed for m in snapshot.models for e in m.entities)
    files = {"catalog.yaml": _comments(asked[""], observed=observed) + _yaml(head)}
    for model in snapshot.models:
        metrics = [by_measure[m.name] for m in model.measures]
        files[f"models/{model.name}.yaml"] = _comments(asked[model.name], observed=observed) + _model(model, metrics)
    return {name: text + _stamp(text) for name, text in files.items()}


def is_untouched(text: str) -> bool:
    """Whether a file is still as it was drafted, to the last byte."""
    held, mark, _ = text.rpartition(_STAMP)
    return bool(mark) and text == held + _stamp(held)


def _stamp(text: str) -> str:
    return f"{_STAMP}{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


def _model(model: SemanticModel, metrics: list[Metric]) -> str:
    return _yaml({"semantic_models": [_plain(model)], "metrics": [_plain(m) for m in metrics]})


def _comments(asked: list[Suggestion], *, observed: bool) -> str:
    lines = [f"# {_OBSERVED if observed else _MADE}", f"# {_REVIEW}"]
    if asked:
        lines += ["#", "# For its owner to decide:"]
    for suggestion in asked:
        lines.append(f"# - {_line(suggestion.text)}")
        lines += [f"#   to accept: {_line(suggestion.accept)}"] if suggestion.accept else []
    return "\n".join(lines) + "\n\n"


def _line(text: str) -> str:
    """Text that cannot leave its comment."""
    return "".join(c if c.isprintable() else " " for c in text)


def _plain(part: Any) -> Any:
    return encode(part)


def _yaml(value: dict[str, Any]) -> str:
    return yaml.dump(value, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
