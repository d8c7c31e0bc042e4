"""MySQL and MariaDB: starts of periods are counted back from a day, for there is no date_trunc."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, cast, minus, number, plus, times

_MOMENT = exp.DataType.build("DATETIME(6)", dialect="mysql")
_DAY = exp.DataType.build("DATE")
_SECONDS = {"HOUR": ("HOUR", 3_600), "MINUTE": ("MINUTE", 60), "SECOND": ("SECOND", 1)}
_MICROSECONDS = {"MICROSECOND": 1, "MILLISECOND": 1_000}


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    if unit in _STARTS:
        return cast(_STARTS[unit](moment), _MOMENT)
    whole = _whole_units(moment, unit)
    midnight = cast(cast(moment.copy(), _DAY), _MOMENT)
    return call("TIMESTAMPADD", exp.var("MICROSECOND" if unit in _MICROSECONDS else "SECOND"), whole, midnight)


def _whole_units(moment: exp.Expr, unit: str) -> exp.Expr:
    """Seconds (microseconds for the finest units) since midnight, cut to whole units."""
    kept = list(_SECONDS)[: list(_SECONDS).index(unit) + 1] if unit in _SECONDS else list(_SECONDS)
    seconds: exp.Expr = number(0)
    for name in kept:
        seconds = plus(seconds, times(call(name, moment.copy()), number(_SECONDS[name][1])))
    if unit in _SECONDS:
        return seconds
    width = _MICROSECONDS[unit]
    held = call("MICROSECOND", moment.copy())
    cut = minus(held, call("MOD", held.copy(), number(width))) if width > 1 else held
    return plus(times(seconds, number(1_000_000)), cut)


def _days_back(moment: exp.Expr, count: exp.Expr) -> exp.Expr:
    return call("TIMESTAMPADD", exp.var("DAY"), exp.Neg(this=count), cast(moment, _DAY))


def _week(moment: exp.Expr) -> exp.Expr:
    return _days_back(moment, call("WEEKDAY", moment.copy()))


def _month(moment: exp.Expr) -> exp.Expr:
    return _days_back(moment, minus(call("DAYOFMONTH", moment.copy()), number(1)))


def _quarter(moment: exp.Expr) -> exp.Expr:
    months = times(minus(call("QUARTER", moment.copy()), number(1)), number(3))
    return call("TIMESTAMPADD", exp.var("MONTH"), months, _year(moment))


def _year(moment: exp.Expr) -> exp.Expr:
    return _days_back(moment, minus(call("DAYOFYEAR", moment.copy()), number(1)))


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    if unit == "MILLISECOND":
        return call("TIMESTAMPADD", exp.var("MICROSECOND"), times(exp.Paren(this=count), number(1_000)), moment)
    return call("TIMESTAMPADD", exp.var(unit), count, moment)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    if part == "isodow":
        return plus(call("WEEKDAY", moment), number(1))
    return call({"doy": "DAYOFYEAR", "day": "DAYOFMONTH"}.get(part, part.upper()), moment)


_STARTS: dict[str, Callable[[exp.Expr], exp.Expr]] = {
    "DAY": lambda moment: cast(moment, _DAY),
    "WEEK": _week,
    "MONTH": _month,
    "QUARTER": _quarter,
    "YEAR": _year,
}

TIMES = Times(label="MySQL", moment=_MOMENT, day=_DAY, start_of=_start_of, moved=_moved, part=_part)
