"""Yes or no, held against the figure that was computed, with that figure behind it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.calculated import ASKED_DIRECTION
from catalog.calculations import Derived
from catalog.query import IntentKind, MetricCondition, ResultColumn
from catalog.specs import SOME
from catalog.surfaces import plural
from catalog.types import Operator, Scalar
from dataagent.answering.changes import calculated_claims
from dataagent.answering.claims import ALL_HOLD, CHANGE, HOLDS
from dataagent.answering.numerals import cell_text, is_slight, number_text
from dataagent.answering.telling import MOVES, Told
from dataagent.answering.types import CellRef, Claim

_WORDS = {
    Operator.GT: "more than",
    Operator.GE: "at least",
    Operator.LT: "less than",
    Operator.LE: "at most",
    Operator.EQ: "exactly",
    Operator.NE: "other than",
    Operator.BETWEEN: "between",
}
_GROWN = {"up": "rose", "down": "fell"}


def verdict_claims(told: Told) -> list[Claim]:
    """The yes or no first, then what else is told; empty where the question is none of yes or no."""
    intent = told.intent
    if intent.kind in (IntentKind.EXISTS, IntentKind.BOOLEAN) and intent.entity is not None:
        return _of_things(told)
    if intent.kind in (IntentKind.EXISTS, IntentKind.BOOLEAN) and intent.comparison is None:
        return _of_condition(told)
    if intent.kind is IntentKind.BOOLEAN and intent.grain is not None:
        return _of_series(told)
    if intent.kind is IntentKind.BOOLEAN and intent.dimensions:
        return _of_groups(told)
    if intent.kind is IntentKind.BOOLEAN or (intent.answer_shape == "boolean" and intent.comparison is not None):
        return _of_change(told)
    return []


def _of_condition(told: Told) -> list[Claim]:
    if not told.rows or not told.metrics:
        return []
    column = told.columns[told.at[told.metrics[0]]]
    ref = CellRef(row=0, column=column.name)
    value = told.cell(ref)
    period = told.when(told.intent.time_range)
    if told.intent.kind is IntentKind.EXISTS:
        some = isinstance(value, int | Decimal) and value > 0
        text = f"{'Yes' if some else 'No'}: {column.label.lower()} {period}: {cell_text(value, column)}"
        return [Claim(text=text, value=cell_text(value, column), cells=(ref,), calculation=HOLDS)]
    holds = all(holds_of(value, c) for c in told.intent.having)
    limits = " and ".join(_limit(c, column) for c in told.intent.having)
    denied = "" if holds else "not "
    text = f"{'Yes' if holds else 'No'}: {column.label}: {cell_text(value, column)} {period}, {denied}{limits}"
    return [Claim(text=text, value=cell_text(value, column), cells=(ref,), calculation=HOLDS)]


def _of_things(told: Told) -> list[Claim]:
    """Whether any thing meets the condition, with how many do; or whether each does, with how many do not."""
    if not told.rows:
        return []
    column = told.columns[0]
    ref = CellRef(row=0, column=column.name)
    value = told.cell(ref)
    some = isinstance(value, int | Decimal) and value > 0
    shown, period = cell_text(value, column), told.when(told.intent.time_range)
    every = told.intent.kind is IntentKind.BOOLEAN
    word = "Yes" if some is not every else "No"
    meets = "do not meet this" if every else "meet this"
    text = f"{word}: {column.label.lower()} that {meets} {period}: {shown}".replace(" :", ":")
    return [Claim(text=text, value=shown, cells=(ref,), calculation=HOLDS)]


def holds_of(value: Scalar, condition: MetricCondition) -> bool:
    """Whether the figure meets the condition; a missing figure meets none."""
    limits = [Decimal(v) for v in condition.values if isinstance(v, int | Decimal)]
    if not isinstance(value, int | Decimal) or not limits:
        return False
    number = Decimal(value)
    tests = {
        Operator.GT: number > limits[0],
        Operator.GE: number >= limits[0],
        Operator.LT: number < limits[0],
        Operator.LE: number <= limits[0],
        Operator.EQ: number == limits[0],
        Operator.NE: number != limits[0],
        Operator.BETWEEN: limits[0] <= number <= limits[-1],
    }
    return tests.get(condition.op, False)


def _limit(condition: MetricCondition, column: ResultColumn) -> str:
    shown = [number_text(v, column.format, column.unit) for v in condition.values if isinstance(v, int | Decimal)]
    return f"{_WORDS.get(condition.op, condition.op.value)} {' and '.join(shown)}"


def _of_change(told: Told) -> list[Claim]:
    """The change as a yes or no, or as up or down where that was asked; one that shows as 0 is hardly any."""
    claims = calculated_claims(told)
    change = _change(told, 0)
    if not claims or change is None:
        return claims
    asked = direction_asked(told)
    word = "Up" if change > 0 else "Down" if change < 0 else "Unchanged"
    if told.intent.having:
        if any(c.metric not in told.at for c in told.intent.having):
            return claims
        held = all(holds_of(told.cell(CellRef(row=0, column=c.metric)), c) for c in told.intent.having)
        word = "Yes" if held else "No"
    elif asked:
        word = "Yes" if (change > 0) is (asked == "up") and change != 0 else "No"
    if word != "No" and _is_slight(told, claims[0]):
        word = "Hardly" if asked else "Hardly changed"
    return [replace(claims[0], text=f"{word}: {claims[0].text}"), *claims[1:]]


def _is_slight(told: Told, claim: Claim) -> bool:
    """Whether the change of the sentence is below what is shown."""
    if claim.calculation != CHANGE:
        return False
    value = told.cell(claim.cells[-1])
    column = told.columns[told.at[claim.cells[-1].column]]
    return isinstance(value, int | Decimal) and is_slight(value, column)


def direction_asked(told: Told) -> str:
    """ "up" or "down" where the question asks whether something rose or fell, else ""."""
    return next((str(value) for name, value in told.intent.notes if name == ASKED_DIRECTION), "")


def _of_series(told: Told) -> list[Claim]:
    """Whether each period of a series rose (or fell) against the one before."""
    column = next((c for d in MOVES if (c := told.column(told.metrics[0], d)) is not None), None)
    asked = direction_asked(told)
    if column is None or told.time is None or not asked:
        return []
    known = [i for i in range(len(told.rows)) if _change(told, i) is not None]
    cells = tuple(CellRef(row=i, column=column.name) for i in known)
    fitting = sum(1 for i in known if (_change(told, i) or 0) * (1 if asked == "up" else -1) > 0)
    value = f"{fitting} of {len(known)}"
    unit = told.time.granularity.value if told.time.granularity else "period"
    label = told.columns[told.at[told.metrics[0]]].label
    verdict = "Yes" if known and fitting == len(known) == len(told.rows) else "No"
    text = f"{verdict}: {label} {_GROWN[asked]} in {value} {unit}s {told.when(told.intent.time_range)}"
    return [Claim(text=text, value=value, cells=cells, calculation=f"{ALL_HOLD}_{asked}")]


def _of_groups(told: Told) -> list[Claim]:
    """Whether each group, or any, rose (or fell), how many did, and which are on the other side."""
    column = next((c for d in MOVES if (c := told.column(told.metrics[0], d)) is not None), None)
    asked = direction_asked(told)
    if column is None or not told.groups or not asked:
        return []
    known = [i for i in range(len(told.rows)) if _change(told, i) is not None]
    fitting = [i for i in known if (_change(told, i) or 0) * (1 if asked == "up" else -1) > 0]
    cells = tuple(CellRef(row=i, column=column.name) for i in known)
    value = f"{len(fitting)} of {len(known)}"
    some = any(name == SOME for name, _ in told.intent.notes)
    holds = bool(fitting) if some else len(fitting) == len(told.rows) > 0
    group, label = told.groups[0].label.lower(), told.columns[told.at[told.metrics[0]]].label
    named = fitting if some else [i for i in range(len(told.rows)) if i not in fitting]
    which = _named(told, named, "" if some else "not ") if named else ""
    text = f"{'Yes' if holds else 'No'}: {label} {_GROWN[asked]} in {value} {plural(group) or group}"
    text = f"{text} {told.when(told.intent.time_range)}{which}"
    return [Claim(text=text, value=value, cells=cells, calculation=f"{ALL_HOLD}_{asked}"), *calculated_claims(told)]


def _named(told: Told, rows: list[int], lead: str) -> str:
    """The groups by name, as far as they can be listed in a sentence."""
    names = [told.member(i) for i in rows[:_MOST_NAMED]]
    more = f" and {len(rows) - len(names)} more" if len(rows) > len(names) else ""
    return f" ({lead}{', '.join(names)}{more})"


_MOST_NAMED = 3


def _change(told: Told, row: int) -> Decimal | None:
    for derived in (Derived.DIFFERENCE, Derived.POINTS, Derived.PERCENT_CHANGE):
        column = told.column(told.metrics[0], derived)
        value = told.cell(CellRef(row=row, column=column.name)) if column and told.rows else None
        if isinstance(value, int | Decimal):
            return Decimal(value)
    return None
