"""A small graph from left to right: lineage as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from frontend.charts.element import Element, element
from frontend.charts.plot import fitted, text_px

NODE_HEIGHT = 28.0
ROW = 40.0
COLUMN_GAP = 56.0
MAX_NODE = 230.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node: its key, its label, and its kind (table, metric or here)."""

    key: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Layers from left to right, and edges between keys of neighbouring or farther layers."""

    layers: tuple[tuple[Node, ...], ...]
    edges: tuple[tuple[str, str], ...]
    title: str


def graph_drawing(graph: Graph) -> Element:
    """The graph as SVG; its description lists the edges in words."""
    layers, hops = _routed(graph)
    widths = [min(max(text_px(node.label) for node in layer) + 26, MAX_NODE) for layer in layers]
    tallest = max(len(layer) for layer in layers)
    lefts = [2 + sum(widths[:i]) + COLUMN_GAP * i for i in range(len(layers))]
    width, height = lefts[-1] + widths[-1] + 2, tallest * ROW + 4
    boxes = {
        node.key: (lefts[i], height / 2 + (j - (len(layer) - 1) / 2) * ROW, widths[i], node)
        for i, layer in enumerate(layers)
        for j, node in enumerate(layer)
    }
    said = ". ".join(
        f"{_label(boxes, a)} feeds {_label(boxes, b)}" for a, b in graph.edges if a in boxes and b in boxes
    )
    return element(
        "svg",
        element("title", text=graph.title),
        element("desc", text=said),
        *(_edge(boxes[a], boxes[b]) for a, b in hops),
        *(part for box in boxes.values() for part in _node(*box)),
        class_="graph", view_box=f"0 0 {width:g} {height:g}", width=width, height=height, role="img",
        aria_label=f"{graph.title}. {said}",
    )  # fmt: skip


Box = tuple[float, float, float, Node]
_WAY = "way"
"""The kind of a place that an edge goes through between its ends, so that it passes behind no node."""


def _routed(graph: Graph) -> tuple[list[list[Node]], tuple[tuple[str, str], ...]]:
    """The layers with a way for each edge that skips some, in an order with few crossings, and all edges cut there."""
    layers = [list(layer) for layer in graph.layers if layer]
    place = {node.key: i for i, layer in enumerate(layers) for node in layer}
    hops: dict[tuple[str, str], None] = {}
    for source, target in _needed([e for e in graph.edges if place.keys() >= set(e)]):
        last = source
        for i in range(place[source] + 1, place[target]):
            way = Node(key=f"{_WAY} {i} {source}", label="", kind=_WAY)
            if way not in layers[i]:
                layers[i].append(way)
            hops[last, way.key] = None
            last = way.key
        hops[last, target] = None
    for left, right in reversed(list(pairwise(layers))):
        heights = {node.key: j / len(right) for j, node in enumerate(right)}
        left.sort(key=lambda node: _mean([heights[b] for a, b in hops if a == node.key and b in heights]))
    return layers, tuple(hops)


def _needed(edges: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The edges without those that longer ways tell too."""
    after: dict[str, set[str]] = {}
    for source, target in edges:
        after.setdefault(source, set()).add(target)

    def reached(key: str, seen: frozenset[str]) -> frozenset[str]:
        for step in after.get(key, set()) - seen:
            seen = reached(step, seen | {step})
        return seen

    def told(source: str, target: str) -> bool:
        return any(target in reached(s, frozenset()) for s in after[source] - {target})

    return [edge for edge in edges if not told(*edge)]


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.5


def _label(boxes: dict[str, Box], key: str) -> str:
    return boxes[key][3].label


def _edge(start: Box, end: Box) -> Element:
    x1, y1, x2, y2 = start[0] + start[2], start[1], end[0], end[1]
    bend = (x1 + x2) / 2
    return element(
        "path", class_="edge", d=f"M{x1:.1f},{y1:.1f}C{bend:.1f},{y1:.1f} {bend:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"
    )


def _node(x: float, y: float, width: float, node: Node) -> Sequence[Element]:
    if node.kind == _WAY:
        return (element("path", class_="edge", d=f"M{x:.1f},{y:.1f}H{x + width:.1f}"),)
    top = y - NODE_HEIGHT / 2
    return (
        element("rect", class_=f"node node-{node.kind}", x=x, y=top, width=width, height=NODE_HEIGHT, rx=5),
        element(
            "text",
            element("title", text=node.label),
            class_="node-label",
            x=x + 12,
            y=y + 4,
            text=fitted(node.label, width - 18),
        ),
    )
