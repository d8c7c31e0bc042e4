"""A change as steps: each group's contribution begins where the one before ended; the last row is all of it."""

from __future__ import annotations

from decimal import Decimal

from frontend.charts.bars import BAR_PX, LABEL_LINE, ROW_GAP, category
from frontend.charts.element import Element, element
from frontend.charts.plot import Frame, hit, picture, text_px
from frontend.charts.scale import Scale
from frontend.charts.series import Panel

_NARROW = 500


def waterfall(panel: Panel, *, width: float, name: str) -> Element:
    """A row per group and one for the whole change, each with its signed value at the end of its bar."""
    values = panel.numbers()
    line = LABEL_LINE if width < _NARROW else 0.0
    row = line + BAR_PX + ROW_GAP
    left = 2.0 if line else min(max(text_px(c) for c in panel.categories) + 14, width * 0.34)
    frame = Frame(width=width, height=row * len(values) + 8, left=left, right=2, top=4, bottom=4)
    edges = _edges(values)
    x = _scale(panel, frame, edges)
    parts: list[Element] = []
    for i, (start, end) in enumerate(edges):
        top = frame.top + row * i
        place = (frame.left, top + 13.0, "start") if line else (frame.left - 10, top + BAR_PX / 2 + 4, "end")
        room = frame.width - 8 if line else frame.left - 12
        parts.append(category(panel.categories[i], place, room))
        parts += _step(panel, (start, end), values[i], x, top + line, last=i == len(edges) - 1)
        if i + 1 < len(edges) - 1:
            y = top + line + BAR_PX
            parts.append(element("line", class_="link", x1=x.at(end), x2=x.at(end), y1=y, y2=y + ROW_GAP + line))
    zero = x.at(Decimal(0))
    baseline = element("line", class_="zero", x1=zero, x2=zero, y1=frame.top, y2=frame.y_end)
    hits = [hit(panel, i, (0, frame.top + row * i, width, row)) for i in range(len(values))]
    return picture(panel, frame, name, *parts, baseline, element("g", *hits, class_="hits"))


def _edges(values: tuple[Decimal, ...]) -> list[tuple[Decimal, Decimal]]:
    """Where each bar begins and ends; the last one is the whole, from zero."""
    found, at = [], Decimal(0)
    for value in values[:-1]:
        found.append((at, at + value))
        at += value
    return [*found, (Decimal(0), values[-1])]


def _scale(panel: Panel, frame: Frame, edges: list[tuple[Decimal, Decimal]]) -> Scale:
    """Room for the longest written value beyond each end."""
    points = [p for edge in edges for p in edge]
    low, high = min(points), max(points)
    if low == high:
        high = low + 1
    written = max(text_px(_signed(panel, v)) for v in panel.numbers()) + 12
    end = max(frame.x_end - written, frame.left + written + 40)
    return Scale(low=low, high=high, start=frame.left + written, end=end)


def _step(
    panel: Panel, edge: tuple[Decimal, Decimal], value: Decimal, x: Scale, y: float, *, last: bool
) -> list[Element]:
    start, end = x.at(edge[0]), x.at(edge[1])
    kind = "bar s1" if last else "bar rise" if value > 0 else "bar fall"
    left, right = min(start, end), max(start, end)
    anchor, place = ("end", left - 6) if value < 0 else ("start", right + 6)
    return [
        element("rect", class_=kind, x=left, y=y, width=max(right - left, 0.75), height=BAR_PX),
        element("text", class_="value", x=place, y=y + BAR_PX / 2 + 4, text_anchor=anchor, text=_signed(panel, value)),
    ]


def _signed(panel: Panel, value: Decimal) -> str:
    return f"+{panel.label(value)}" if value > 0 else panel.label(value)
