"""A small tree of SVG elements and its text.  Everything is escaped here, once."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element: attributes in order, then text, then children."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    children: tuple[Element, ...] = ()


def element(tag: str, *children: Element, text: str = "", **attributes: str | float | int) -> Element:
    """An element.  `class_` is class, underscores become hyphens, numbers keep two places at most."""
    named = tuple((_name(key), _value(value)) for key, value in attributes.items())
    return Element(tag=tag, attributes=named, text=text, children=children)


def render(node: Element) -> str:
    """The element as markup, with all text and attribute values escaped."""
    attributes = "".join(f' {key}="{escape(value, quote=True)}"' for key, value in node.attributes)
    inner = escape(node.text) + "".join(render(child) for child in node.children)
    return f"<{node.tag}{attributes}>{inner}</{node.tag}>" if inner else f"<{node.tag}{attributes}/>"


def _name(key: str) -> str:
    return {"class_": "class", "view_box": "viewBox"}.get(key, key.replace("_", "-"))


def _value(value: str | float | int) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
