"""Bars: upright over time, lying for categories, grouped where there are several series."""

from __future__ import annotations

from decimal import Decimal

from frontend.charts.element import Element, element
from frontend.charts.line import period_axis
from frontend.charts.plot import Frame, fitted, hit, picture, text_px, tick_text, ticks_of, value_axis
from frontend.charts.scale import Scale
from frontend.charts.series import Panel

BAR_PX = 15.0
GROUPED_BAR_PX = 10.0
ROW_GAP = 9.0
LABEL_LINE = 18.0


def upright_bars(panel: Panel, *, width: float, height: float, name: str) -> Element:
    """A column per period and series, from zero up or down."""
    ticks = ticks_of(panel)
    left = max(text_px(tick_text(panel, tick)) for tick in ticks) + 12
    frame = Frame(width=width, height=height, left=left, right=10, top=10, bottom=28)
    y = Scale(low=ticks[0], high=ticks[-1], start=frame.y_end, end=frame.top)
    slot = (frame.x_end - frame.left) / len(panel.categories)
    bar = min(46.0, slot * 0.7 / len(panel.series))
    middles = tuple(frame.left + slot * (i + 0.5) for i in range(len(panel.categories)))
    bars = [_upright(panel, i, j, (middles[i], bar), y) for i in range(len(middles)) for j in range(len(panel.series))]
    hits = [hit(panel, i, (x - slot / 2, frame.top, slot, frame.y_end - frame.top)) for i, x in enumerate(middles)]
    return picture(
        panel, frame, name, value_axis(panel, frame, y, ticks), period_axis(panel, frame, middles),
        *(b for b in bars if b), element("g", *hits, class_="hits"),
    )  # fmt: skip


def _upright(panel: Panel, i: int, j: int, at: tuple[float, float], y: Scale) -> Element | None:
    value = panel.series[j].values[i]
    if value is None:
        return None
    middle, bar = at
    x = middle - bar * len(panel.series) / 2 + bar * j
    zero, end = y.at(Decimal(0)), y.at(value)
    return element(
        "rect",
        class_=f"bar open s{j + 1}" if i in panel.provisional else f"bar s{j + 1}",
        x=x,
        y=min(zero, end),
        width=max(bar - 1, 1.0),
        height=max(abs(zero - end), 0.75),
    )


def lying_bars(panel: Panel, *, width: float, name: str) -> Element:
    """A row per category: its name, its bars from a common zero, each with its value written at the end."""
    narrow = width < 500
    thick = BAR_PX if len(panel.series) == 1 else GROUPED_BAR_PX
    line = LABEL_LINE if narrow else 0.0
    row = line + thick * len(panel.series) + (len(panel.series) - 1) * 2 + ROW_GAP
    left = 2.0 if narrow else min(max(text_px(c) for c in panel.categories) + 14, width * 0.34)
    frame = Frame(width=width, height=row * len(panel.categories) + 8, left=left, right=2, top=4, bottom=4)
    x = _value_scale(panel, frame)
    rows = [part for i in range(len(panel.categories)) for part in _row(panel, i, frame, x, (row, thick, line))]
    zero = x.at(Decimal(0))
    baseline = element("line", class_="zero", x1=zero, x2=zero, y1=frame.top, y2=frame.y_end)
    hits = [hit(panel, i, (0, frame.top + row * i, width, row)) for i in range(len(panel.categories))]
    return picture(panel, frame, name, *rows, baseline, element("g", *hits, class_="hits"))


def _value_scale(panel: Panel, frame: Frame) -> Scale:
    """Room for the longest written value beyond each end."""
    numbers = panel.numbers()
    low, high = min(*numbers, Decimal(0)), max(*numbers, Decimal(0))
    if low == high:
        high = Decimal(1)
    written = max(text_px(panel.label(v)) for v in numbers) + 12
    start = frame.left + (written if low < 0 else 0)
    end = frame.x_end - (written if high > 0 else 8)
    return Scale(low=low, high=high, start=start, end=max(end, start + 40))


def _row(panel: Panel, i: int, frame: Frame, x: Scale, sizes: tuple[float, float, float]) -> list[Element]:
    row, thick, line = sizes
    top = frame.top + row * i
    label = panel.categories[i]
    middle = top + line + (thick * len(panel.series) + (len(panel.series) - 1) * 2) / 2
    room = frame.width - 8 if line else frame.left - 12
    place = (frame.left, top + 13.0, "start") if line else (frame.left - 10, middle + 4, "end")
    parts = [category(label, place, room)]
    for j, series in enumerate(panel.series):
        parts.extend(_lying(panel, series.values[i], j, (top + line + (thick + 2) * j, thick), x))
    return parts


def category(label: str, place: tuple[float, float, str], room: float) -> Element:
    """A row's name at (x, y, anchor), cut to the room and whole in its title."""
    return element(
        "text", element("title", text=label), class_="category", x=place[0], y=place[1], text_anchor=place[2],
        text=fitted(label, room),
    )  # fmt: skip


def _lying(panel: Panel, value: Decimal | None, j: int, at: tuple[float, float], x: Scale) -> list[Element]:
    y, thick = at
    zero = x.at(Decimal(0))
    if value is None:
        return [element("text", class_="value none", x=zero + 6, y=y + thick / 2 + 4, text="no value")]
    end = x.at(value)
    anchor, place = ("end", end - 6) if value < 0 else ("start", end + 6)
    return [
        element("rect", class_=f"bar s{j + 1}", x=min(zero, end), y=y, width=max(abs(end - zero), 0.75), height=thick),
        element("text", class_="value", x=place, y=y + thick / 2 + 4, text_anchor=anchor, text=panel.label(value)),
    ]
