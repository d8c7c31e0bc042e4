"""What every drawing shares: the frame, the value axis, the hit areas, names and marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from dataagent.answering.numerals import MINUS
from frontend.charts.element import Element, element
from frontend.charts.scale import Scale, nice_ticks
from frontend.charts.series import Panel
from frontend.values import compact

CHARACTER_PX = 6.7
NO_VALUE = "no value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The drawing area inside its margins, in pixels."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def x_end(self) -> float:
        """The right edge of the drawing area."""
        return self.width - self.right

    @property
    def y_end(self) -> float:
        """The lower edge of the drawing area."""
        return self.height - self.bottom


def text_px(text: str) -> float:
    """About how wide a label is."""
    return len(text) * CHARACTER_PX


def fitted(text: str, room: float) -> str:
    """The text, cut with an ellipsis where it would not fit."""
    most = max(3, int(room / CHARACTER_PX))
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def ticks_of(panel: Panel, *, count: int = 4) -> tuple[Decimal, ...]:
    """Ticks of the value axis.  Bars start at zero; a line does unless it would become flat."""
    numbers = panel.numbers()
    return nice_ticks(numbers, count=count, zero=panel.kind.value == "bar" or not is_flat(numbers))


def is_flat(numbers: tuple[Decimal, ...]) -> bool:
    """Whether values vary so little around a level that a zero would hide all change."""
    low, high = min(numbers), max(numbers)
    return low * high > 0 and 0 < high - low < max(abs(low), abs(high)) * Decimal("0.25")


def tick_text(panel: Panel, tick: Decimal) -> str:
    """A tick's label with a short unit."""
    text = compact(tick)
    sign, digits = (MINUS, text[1:]) if text.startswith(MINUS) else ("", text)
    symbol = panel.label(Decimal(0))[0]
    if not symbol.isdigit():
        return f"{sign}{symbol}{digits}"
    return f"{text}%" if panel.unit == "%" else text


def value_axis(panel: Panel, frame: Frame, scale: Scale, ticks: Iterable[Decimal]) -> Element:
    """Horizontal grid lines with their labels at the left; the zero line is stronger."""
    parts: list[Element] = []
    for tick in ticks:
        y = scale.at(tick)
        kind = "zero" if tick == 0 else "grid"
        parts.append(element("line", class_=kind, x1=frame.left, x2=frame.x_end, y1=y, y2=y))
        parts.append(
            element("text", class_="tick", x=frame.left - 8, y=y + 4, text_anchor="end", text=tick_text(panel, tick))
        )
    return element("g", *parts, class_="axis", aria_hidden="true")


def readout(panel: Panel, index: int) -> str:
    """What the read-out says for one category: every series with its value."""
    said = []
    for series in panel.series:
        value = series.values[index]
        text = panel.label(value) if value is not None else NO_VALUE
        said.append(f"{series.name} {text}" if len(panel.series) > 1 else text)
    open_ = " (not complete)" if index in panel.provisional else ""
    return f"{panel.categories[index]}{open_}: {', '.join(said)}"


def hit(panel: Panel, index: int, box: tuple[float, float, float, float], *, points: str = "") -> Element:
    """An invisible area that a pointer or a key can rest on; a small module reads it out."""
    x, y, width, height = box
    return element(
        "rect", class_="hit", x=x, y=y, width=max(width, 0.5), height=height,
        data_readout=readout(panel, index), data_x=x + width / 2, data_points=points,
    )  # fmt: skip


def picture(panel: Panel, frame: Frame, name: str, *children: Element) -> Element:
    """The whole SVG with its name and description for those who do not see it."""
    title = f"{panel.column.label} by {panel.x_label}" if panel.x_label else panel.column.label
    return element(
        "svg",
        element("title", text=title),
        element("desc", text=description(panel)),
        *children,
        class_=f"chart chart-{name}",
        view_box=f"0 0 {frame.width:g} {frame.height:g}",
        role="img",
        aria_label=f"{title}. {description(panel)}",
    )


_KINDS = {"line": "Line chart", "waterfall": "Waterfall chart"}


def description(panel: Panel) -> str:
    """One sentence on what is drawn: how many points and the range."""
    numbers = panel.numbers()
    low, high = panel.label(min(numbers)), panel.label(max(numbers))
    kind = _KINDS.get(panel.kind.value, "Bar chart")
    many = f", {len(panel.series)} series" if len(panel.series) > 1 else ""
    gaps = sum(v is None for s in panel.series for v in s.values)
    missing = f" {gaps} without a value." if gaps else ""
    return (
        f"{kind} with {len(panel.categories)} points{many}, from {low} to {high}.{missing} The table holds the values."
    )
