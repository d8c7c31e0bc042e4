"""Lines over time: gaps stay gaps, a lone point is a dot, names stand at the line's end."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from frontend.charts.element import Element, element
from frontend.charts.plot import Frame, fitted, hit, picture, text_px, tick_text, ticks_of, value_axis
from frontend.charts.scale import Scale, spread, thinned
from frontend.charts.series import Panel

NAME_GAP = 16.0
MOST_DOTS = 40
Point = tuple[int, float, float]


def line_chart(panel: Panel, *, width: float, height: float, name: str) -> Element:
    """A line per series with a value axis, thinned period labels and a read-out area per period."""
    ticks = ticks_of(panel)
    frame = _frame(panel, ticks, width, height)
    y = Scale(low=ticks[0], high=ticks[-1], start=frame.y_end, end=frame.top)
    xs = positions(len(panel.categories), frame)
    lines = [part for i, s in enumerate(panel.series) for part in _line(panel, i, xs, y)]
    return picture(
        panel, frame, name,
        value_axis(panel, frame, y, ticks),
        period_axis(panel, frame, xs),
        *lines,
        *_names(panel, frame, y),
        element("g", *_hits(panel, frame, xs, y), class_="hits"),
    )  # fmt: skip


def positions(count: int, frame: Frame) -> tuple[float, ...]:
    """Evenly spaced x positions; one point stands in the middle."""
    if count == 1:
        return ((frame.left + frame.x_end) / 2,)
    inset = min(12.0, (frame.x_end - frame.left) / (count * 2))
    step = (frame.x_end - frame.left - 2 * inset) / (count - 1)
    return tuple(frame.left + inset + i * step for i in range(count))


def period_axis(panel: Panel, frame: Frame, xs: tuple[float, ...]) -> Element:
    """Labels below the drawing, as many as fit without touching."""
    widest = max(text_px(label) for label in panel.categories) + 18
    room = int((frame.x_end - frame.left) / widest) + 1
    labels = []
    for i in thinned(len(xs), room):
        label = panel.categories[i]
        half = text_px(label) / 2
        x = min(max(xs[i], frame.left + half - 30), frame.width - half - 2)
        labels.append(element("text", class_="tick", x=x, y=frame.height - 8, text_anchor="middle", text=label))
    return element("g", *labels, class_="axis", aria_hidden="true")


def _frame(panel: Panel, ticks: tuple[Decimal, ...], width: float, height: float) -> Frame:
    left = max(text_px(tick_text(panel, tick)) for tick in ticks) + 12
    names = max((text_px(s.name) for s in panel.series), default=0.0) + 24
    right = min(names, width * 0.26) if len(panel.series) > 1 else 10.0
    return Frame(width=width, height=height, left=left, right=right, top=10, bottom=28)


def _line(panel: Panel, index: int, xs: tuple[float, ...], y: Scale) -> list[Element]:
    """The stretches of a series; what leads to a period that is not complete is dashed, its point hollow."""
    parts: list[Element] = []
    colour = f"s{index + 1}"
    for run in _runs(panel.series[index].values):
        points = [(i, xs[i], y.at(value)) for i, value in run]
        if len(panel.series) == 1 and len(points) > 1 and y.low <= 0 <= y.high:
            base = y.at(Decimal(0))
            area = f"{_path(points)}L{points[-1][1]:.1f},{base:.1f}L{points[0][1]:.1f},{base:.1f}Z"
            parts.append(element("path", class_=f"area {colour}", d=area))
        for stretch, is_open in _stretches(points, panel.provisional):
            kind = "line open" if is_open else "line"
            parts.append(element("path", class_=f"{kind} {colour}", d=_path(stretch)))
        parts.extend(_dots(points, panel, colour))
    return parts


def _dots(points: list[Point], panel: Panel, colour: str) -> list[Element]:
    alone = len(points) == 1
    return [
        element("circle", class_=f"dot open {colour}" if i in panel.provisional else f"dot {colour}", cx=x, cy=py,
                r=3.5 if alone or i in panel.provisional else 2.5)
        for i, x, py in points
        if alone or len(panel.categories) <= MOST_DOTS or (i in panel.provisional and i == len(panel.categories) - 1)
    ]  # fmt: skip


def _stretches(points: list[Point], provisional: frozenset[int]) -> list[tuple[list[Point], bool]]:
    """Neighbouring segments of one kind together; a segment is open where it ends in an open period."""
    found: list[tuple[list[Point], bool]] = []
    for start, end in pairwise(points):
        is_open = end[0] in provisional
        if found and found[-1][1] == is_open:
            found[-1][0].append(end)
        else:
            found.append(([start, end], is_open))
    return found


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for _, x, y in points)


def _runs(values: tuple[Decimal | None, ...]) -> list[list[tuple[int, Decimal]]]:
    """Stretches of neighbouring values, without the gaps."""
    runs: list[list[tuple[int, Decimal]]] = [[]]
    for i, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((i, value))
    return [run for run in runs if run]


def _names(panel: Panel, frame: Frame, y: Scale) -> list[Element]:
    if len(panel.series) < 2:
        return []
    ends = []
    for index, series in enumerate(panel.series):
        last = next((v for v in reversed(series.values) if v is not None), None)
        if last is not None:
            ends.append((y.at(last), index, series.name))
    ends.sort()
    places = spread((end[0] for end in ends), gap=NAME_GAP, low=frame.top + 4, high=frame.y_end)
    return [part for place, end in zip(places, ends, strict=True) for part in _name(place, end, frame)]


def _name(place: float, end: tuple[float, int, str], frame: Frame) -> tuple[Element, ...]:
    """A series' mark and its name at the right edge."""
    _, index, label = end
    mark = element("circle", class_=f"tag s{index + 1}", cx=frame.x_end + 9, cy=place, r=3.5)
    text = fitted(label, frame.right - 22)
    name = element("text", element("title", text=label), class_="name", x=frame.x_end + 17, y=place + 4, text=text)
    return mark, name


def _hits(panel: Panel, frame: Frame, xs: tuple[float, ...], y: Scale) -> list[Element]:
    step = xs[1] - xs[0] if len(xs) > 1 else frame.x_end - frame.left
    hits = []
    for i, x in enumerate(xs):
        values = [s.values[i] for s in panel.series]
        points = " ".join(f"{y.at(v):.1f}" if v is not None else "" for v in values)
        hits.append(hit(panel, i, (x - step / 2, frame.top, step, frame.y_end - frame.top), points=points))
    return hits
