"""From numbers to positions: nice ticks and linear scales."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Maps [low, high] to [start, end] in pixels."""

    low: Decimal
    high: Decimal
    start: float
    end: float

    def at(self, value: Decimal) -> float:
        """The position of a value."""
        share = float((value - self.low) / (self.high - self.low))
        return self.start + share * (self.end - self.start)


def nice_ticks(values: Iterable[Decimal], *, count: int = 5, zero: bool = True) -> tuple[Decimal, ...]:
    """Round, evenly spaced ticks that enclose all values (and zero when `zero`), about `count` of them.

    Two different ticks at least, also for one value, equal values or no values.
    """
    numbers = [*values, *((Decimal(0),) if zero else ())] or [Decimal(0)]
    low, high = min(numbers), max(numbers)
    if low == high:
        low, high = (low, low + 1) if low == 0 else (min(low, low * 2), max(low, low * 2))
    step = _step((high - low) / count)
    first, last = (low / step).to_integral_value("ROUND_FLOOR"), (high / step).to_integral_value("ROUND_CEILING")
    return tuple(step * (first + i) for i in range(int(last - first) + 1))


def _step(rough: Decimal) -> Decimal:
    size = Decimal(1).scaleb(rough.adjusted())
    return next(size * step for step in STEPS if size * step >= rough)


def spread(positions: Iterable[float], *, gap: float, low: float, high: float) -> tuple[float, ...]:
    """Label positions moved apart by at least `gap`, near to their wish, within [low, high] if they fit.

    Order is kept; the input is sorted.
    """
    placed: list[float] = []
    for wish in positions:
        placed.append(max(wish, placed[-1] + gap) if placed else max(wish, low))
    if placed and placed[-1] > high:
        placed[-1] = max(high, low)
        for i in range(len(placed) - 2, -1, -1):
            placed[i] = min(placed[i], placed[i + 1] - gap)
    return tuple(placed)


def thinned(count: int, room: int) -> range:
    """Indices of at most `room` of `count` labels, evenly spaced from the first."""
    step = max(1, -(-count // max(1, room)))
    return range(0, count, step)
