"""How well the planner understands: the measures of the evaluation, with Wilson intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from dataagent.intent.planjson import canonical_plan

_ANSWERS = frozenset({"answer", "define"})
_REWARD_WRONG = -10


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One line's outcome against what was expected."""

    id: str
    construct: str
    style: str
    expect: str
    got: str
    right: bool
    wrong: bool
    gold_offered: bool | None = None


def score_line(line: Mapping[str, Any], result: Mapping[str, Any]) -> Scored:
    """The outcome of one line.

    Wrong means silently wrong: answered with another plan, or answered what had to
    be stopped or asked.
    """
    expect, got = str(line["expect"]), str(result["decision"])
    accepted = {expect, *(line.get("accept") or ())}
    same = line.get("plan") is None or canonical_plan(line["plan"]) == canonical_plan(result.get("plan"))
    answered = got in _ANSWERS
    right = got in accepted and (same or not answered or got != expect)
    return Scored(
        id=str(line["id"]),
        construct=str(line.get("construct") or ""),
        style=str(line.get("style") or "clean"),
        expect=expect,
        got=got,
        right=right,
        wrong=answered and not right,
        gold_offered=_gold_offered(line, result) if expect == got == "clarify" else None,
    )


def _gold_offered(line: Mapping[str, Any], result: Mapping[str, Any]) -> bool | None:
    """Whether the options hold a candidate of the first ambiguity; None where the line names none in the catalog."""
    wanted = [str(c) for c in (line.get("ambiguity") or [{}])[0].get("candidates", ())]
    offered = " ".join(str(option) for option in result.get("options") or ())
    return any(_mentions(candidate, offered) for candidate in wanted) if wanted else None


_SHORT = {
    "dod": "day over day", "wow": "week over week", "mom": "month over month",
    "qoq": "quarter over quarter", "yoy": "year over year",
}  # fmt: skip
"""Comparisons as the lines abbreviate them, and as options say them."""


def _mentions(candidate: str, offered: str) -> bool:
    if candidate in _SHORT:
        return _SHORT[candidate] in offered
    parts = candidate.replace("..", " ").replace("=", " ").replace(">", " ").replace("<", " ").replace("?", " ").split()
    return all(part in offered for part in parts[:2])


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95% Wilson interval of a share."""
    if total == 0:
        return 0.0, 1.0
    z = 1.959964
    share = hits / total
    centre = share + z * z / (2 * total)
    margin = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return round(max(0.0, (centre - margin) / scale), 4), round(min(1.0, (centre + margin) / scale), 4)


def _share(scored: Iterable[Scored], hit: Callable[[Scored], bool]) -> dict[str, Any]:
    lines = tuple(scored)
    hits = sum(hit(s) for s in lines)
    low, high = wilson(hits, len(lines))
    return {
        "hits": hits,
        "of": len(lines),
        "share": round(hits / len(lines), 4) if lines else None,
        "low": low,
        "high": high,
    }


def measures(scored: tuple[Scored, ...]) -> dict[str, Any]:
    """All measures over the lines."""
    answered = [s for s in scored if s.got in _ANSWERS]
    answerable = [s for s in scored if s.expect in _ANSWERS]
    asked = [s for s in scored if s.got == "clarify"]
    to_ask = [s for s in scored if s.expect == "clarify"]
    offered = [s for s in to_ask if s.gold_offered is not None]
    return {
        "lines": len(scored),
        "silent_wrong": _share(scored, lambda s: s.wrong),
        "precision": _share(answered, lambda s: s.right),
        "coverage": _share(answerable, lambda s: s.right and s.got in _ANSWERS),
        "clarify_precision": _share(asked, lambda s: s.right),
        "clarify_recall": _share(to_ask, lambda s: s.right),
        "gold_among_options": _share(offered, lambda s: bool(s.gold_offered)),
        "abstain_recall": _share([s for s in scored if s.expect == "abstain"], lambda s: s.right),
        "deny_recall": _share([s for s in scored if s.expect == "deny"], lambda s: s.right),
        "rs10": sum(_REWARD_WRONG if s.wrong else int(s.right) for s in scored),
        "right": _share(scored, lambda s: s.right),
    }


def summary(scored: tuple[Scored, ...]) -> dict[str, Any]:
    """The measures over all lines, by construct and by style, with the ids that are not right."""
    by_construct = _by(scored, lambda s: s.construct)
    by_style = _by(scored, lambda s: s.style)
    return {
        **measures(scored),
        "wrong_ids": [s.id for s in scored if s.wrong],
        "missed": [f"{s.id}:{s.expect}>{s.got}" for s in scored if not s.right and not s.wrong],
        "by_construct": {k: measures(v) for k, v in sorted(by_construct.items())},
        "by_style": {k: measures(v) for k, v in sorted(by_style.items())},
    }


def _by(scored: tuple[Scored, ...], key: Callable[[Scored], str]) -> dict[str, tuple[Scored, ...]]:
    found: dict[str, tuple[Scored, ...]] = {}
    for one in scored:
        found[key(one)] = (*found.get(key(one), ()), one)
    return found
