"""Templates show; they do not trust foreign text and they hold no script or style of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

TEMPLATES = sorted((ROOT / "frontend" / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "frontend" / "static" / "frontend" / "js").glob("*.js"))
PYTHON = sorted((ROOT / "frontend").rglob("*.py"))
MARKED_SAFE = {"frontend/templatetags/figures.py": "drawings, which escape all their text themselves"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_text_is_marked_safe_in_a_template(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|autoescape\s+off|safeseq", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_template_has_no_inline_script_style_or_handler(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
    assert "javascript:" not in text


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_form_that_changes_something_carries_a_token(path: Path) -> None:
    forms = re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(encoding="utf-8"), re.DOTALL)
    assert [form for form in forms if "{% csrf_token %}" not in form] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_a_script_writes_text_and_never_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_only_drawings_are_marked_safe_in_code() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in PYTHON
        if re.search(r"mark_safe|SafeString\(|format_html", path.read_text(encoding="utf-8"))
    }
    assert found == set(MARKED_SAFE)
