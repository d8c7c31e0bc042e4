"""Lineage as a picture: each edge is seen from end to end."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from frontend.charts.element import Element
from frontend.charts.graph import Graph, Node, graph_drawing

Point = tuple[float, float]


def graph(layers: str, edges: str) -> Graph:
    """ "a|b c|d" and "a>b b>d"."""
    return Graph(
        layers=tuple(tuple(Node(key=k, label=k, kind="table") for k in layer.split()) for layer in layers.split("|")),
        edges=tuple((e.split(">")[0], e.split(">")[1]) for e in edges.split()),
        title="Lineage",
    )


def parts(drawing: Element, tag: str) -> list[dict[str, str]]:
    return [dict(c.attributes) for c in drawing.children if c.tag == tag]


def points(path: str) -> Iterator[Point]:
    """Points along an edge."""
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    if len(numbers) == 3:
        yield from (((numbers[0] * (20 - i) + numbers[2] * i) / 20, numbers[1]) for i in range(21))
        return
    (x0, y0, x1, y1, x2, y2, x3, y3) = numbers
    for i in range(21):
        t, u = i / 20, 1 - i / 20
        yield (
            u**3 * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t**3 * x3,
            u**3 * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t**3 * y3,
        )


def is_inside(point: Point, box: dict[str, str]) -> bool:
    x, y, width, height = (float(box[k]) for k in ("x", "y", "width", "height"))
    return x + 0.1 < point[0] < x + width - 0.1 and y < point[1] < y + height


@pytest.mark.parametrize(
    ("layers", "edges"),
    [
        ("a|b|c d", "a>b b>c a>d"),
        ("items|refunds|gross discount refund|net", "items>refunds items>gross items>discount refunds>refund "
         "gross>net discount>net refund>net items>net refunds>net"),
        ("a|b|c|d|e", "a>b b>c c>d d>e a>e"),
        ("a f|b|c|d e", "a>d f>e b>c c>d b>e"),
    ],
)  # fmt: skip
def test_no_edge_passes_behind_a_node(layers: str, edges: str) -> None:
    drawing = graph_drawing(graph(layers, edges))
    boxes = parts(drawing, "rect")
    seen = [p for path in parts(drawing, "path") for p in points(path["d"])]
    assert boxes
    assert seen
    assert not [p for p in seen for box in boxes if is_inside(p, box)]


def test_what_a_longer_way_tells_is_not_drawn_twice_but_said() -> None:
    drawing = graph_drawing(graph("a|b|c", "a>b b>c a>c"))
    assert len(parts(drawing, "path")) == 2
    said = next(c.text for c in drawing.children if c.tag == "desc")
    assert said == "a feeds b. b feeds c. a feeds c"


def test_a_ring_is_drawn() -> None:
    assert len(parts(graph_drawing(graph("a|b", "a>b b>a")), "path")) == 2
