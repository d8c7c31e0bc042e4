"""Puts a drawing into a page.  The drawing escapes everything itself; no other text comes this way."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from frontend.charts.element import Element, render

register = template.Library()


@register.simple_tag
def drawing(node: Element) -> SafeString:
    """The SVG of an element tree."""
    return mark_safe(render(node))  # noqa: S308 - render() escapes all text and attributes
