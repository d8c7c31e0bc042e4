"""How much each group contributed to a change: plain arithmetic over the figures of two periods, exact.

For what adds up, a group contributes its own change.  For a ratio R = sum(w * r) over groups, with weights
w (the group's part of what is counted on) and rates r, the change is taken apart at the midpoint of both periods
(Kitagawa 1955, "Components of a Difference Between Two Rates"; the weights of Marshall and Edgeworth):

    rate effect = (r1 - r0) * (w0 + w1) / 2
    mix effect  = (w1 - w0) * ((r0 + r1) / 2 - (R0 + R1) / 2)

Nothing is left over: the effects of all groups add up to R1 - R0, for the changes of weights add up to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from catalog.types import Scalar

MAX_GROUPS = 10
"""Groups that are shown one by one; the others stand together in one row."""
_DIGITS = 12
TOLERANCE = Fraction(1, 10**9)
"""What may be left over of the change of a ratio or of floating-point figures, relative to all movement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One group's figures in both periods, what it contributed to the change, and for a ratio how.

    `member` is None for rows that belong to no group; `others` is how many groups stand together in it.
    `effect` is None where the changes of groups do not add up to the change.
    """

    member: Scalar
    now: Fraction | None
    before: Fraction | None
    effect: Fraction | None = None
    rate: Fraction | None = None
    mix: Fraction | None = None
    weight: Fraction = Fraction(0)
    others: int = 0

    @property
    def difference(self) -> Fraction | None:
        """The group's own change; None where it has no figure in one of the periods."""
        return None if self.now is None or self.before is None else self.now - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotient:
    """What a ratio divides in one group: the counted and what it is counted on, now and before."""

    member: Scalar
    top_now: Fraction
    bottom_now: Fraction
    top_before: Fraction
    bottom_before: Fraction


def fraction(value: Scalar) -> Fraction | None:
    """A cell as an exact number; None where it is none."""
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Fraction(value) if is_number else None  # type: ignore[arg-type]


def decimal(value: Fraction | None) -> Decimal | None:
    """A fraction as a cell, to twelve places; exact where it has no more."""
    if value is None:
        return None
    scaled = round(value * 10**_DIGITS)
    return Decimal(scaled).scaleb(-_DIGITS).normalize() + Decimal(0)


def added_up(groups: Sequence[tuple[Scalar, Scalar, Scalar]]) -> tuple[Contribution, ...]:
    """Each (member, now, before) of what adds up, in their order: a group without rows in a period had 0 there."""
    found = []
    for member, now, before in groups:
        after, earlier = fraction(now) or Fraction(0), fraction(before) or Fraction(0)
        found.append(
            Contribution(member=member, now=after, before=earlier, effect=after - earlier, weight=abs(earlier))
        )
    return tuple(found)


def side_by_side(groups: Sequence[tuple[Scalar, Scalar, Scalar]]) -> tuple[Contribution, ...]:
    """Each (member, now, before) of what does not add up, in their order, without a contribution."""
    return tuple(Contribution(member=m, now=fraction(now), before=fraction(before)) for m, now, before in groups)


def of_quotients(groups: Sequence[Quotient]) -> tuple[Contribution, ...] | None:
    """Rate and mix effects of each group, in their order; None where the whole has no ratio in one of the periods.

    None as well where a group counts something on nothing: then the groups' ratios do not make up the whole's.
    """
    bottom_now, bottom_before = sum(g.bottom_now for g in groups), sum(g.bottom_before for g in groups)
    if not bottom_now or not bottom_before or any(_counts_on_nothing(g) for g in groups):
        return None
    whole = (
        sum(g.top_now for g in groups) / Fraction(bottom_now)
        + sum(g.top_before for g in groups) / Fraction(bottom_before)
    ) / 2
    found = []
    for group in groups:
        now = group.top_now / group.bottom_now if group.bottom_now else None
        before = group.top_before / group.bottom_before if group.bottom_before else None
        w1, w0 = group.bottom_now / bottom_now, group.bottom_before / bottom_before
        r1 = now if now is not None else before if before is not None else Fraction(0)
        r0 = before if before is not None else r1
        rate = (r1 - r0) * (w0 + w1) / 2
        mix = (w1 - w0) * ((r0 + r1) / 2 - whole)
        found.append(
            Contribution(
                member=group.member, now=now, before=before, effect=rate + mix, rate=rate, mix=mix, weight=abs(w0)
            )
        )
    return tuple(found)


def _counts_on_nothing(group: Quotient) -> bool:
    return bool((group.top_now and not group.bottom_now) or (group.top_before and not group.bottom_before))


def adds_up_to(parts: Sequence[Contribution], change: Fraction) -> bool:
    """Whether the contributions add up to the change, up to what an engine's floating point leaves over."""
    left = left_over(parts, change)
    return left is not None and abs(left) <= TOLERANCE * max(abs(change), _moved(parts))


def left_over(parts: Sequence[Contribution], change: Fraction) -> Fraction | None:
    """The change minus all contributions, 0 where they add up exactly; None where a group has none."""
    effects = [p.effect for p in parts]
    if any(e is None for e in effects):
        return None
    return change - sum((e for e in effects if e is not None), Fraction(0))


def unevenness(parts: Sequence[Contribution]) -> Fraction:
    """How unevenly a change is spread over groups: half the distance between their parts of all movement and of before.

    0 where every group moved in proportion to what it was, towards 1 where small groups moved everything.
    """
    moved = _moved(parts)
    weights = sum((p.weight for p in parts), Fraction(0))
    if not moved or not weights:
        return Fraction(0)
    return sum((abs(_size_of(p) / moved - p.weight / weights) for p in parts), Fraction(0)) / 2


def _size_of(part: Contribution) -> Fraction:
    return abs(part.effect) if part.effect is not None else Fraction(0)


def _moved(parts: Sequence[Contribution]) -> Fraction:
    """All movement, whichever way it went."""
    return sum((_size_of(p) for p in parts), Fraction(0))


def cancels_out(parts: Sequence[Contribution], change: Fraction) -> bool:
    """Whether groups moved much more than the whole: their changes went against each other."""
    moved = _moved(parts)
    return moved > 0 and abs(change) * 4 < moved


def largest_first(parts: Sequence[Contribution]) -> tuple[Contribution, ...]:
    """By the size of the contribution, else of the own change, largest first; the smallest of many together.

    What stands together keeps its exact sums; what does not add up is cut to the largest, and the rest is left out.
    """
    ordered = sorted(parts, key=lambda p: (-_size(p), str(p.member)))
    if len(ordered) <= MAX_GROUPS + 1:
        return tuple(ordered)
    shown, rest = ordered[:MAX_GROUPS], ordered[MAX_GROUPS:]
    if any(p.effect is None for p in rest):
        return (*shown, Contribution(member=None, now=None, before=None, others=len(rest)))
    return (*shown, _together(rest))


def _size(part: Contribution) -> Fraction:
    return abs(part.effect if part.effect is not None else part.difference or Fraction(0))


def _together(rest: Sequence[Contribution]) -> Contribution:
    ratio = any(p.rate is not None for p in rest)
    return Contribution(
        member=None,
        now=None if ratio else _sum(p.now for p in rest),
        before=None if ratio else _sum(p.before for p in rest),
        effect=_sum(p.effect for p in rest),
        rate=_sum(p.rate for p in rest) if ratio else None,
        mix=_sum(p.mix for p in rest) if ratio else None,
        weight=sum((p.weight for p in rest), Fraction(0)),
        others=len(rest),
    )


def _sum(values: object) -> Fraction:
    return sum((v for v in values if v is not None), Fraction(0))  # type: ignore[attr-defined]
