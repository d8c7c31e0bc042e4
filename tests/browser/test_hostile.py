"""Hostile text in every place that people or data can fill runs nowhere in a real browser, and no site can frame us."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from dataagent.answering.types import Answer
from tests.browser import conftest
from tests.frontend import samples

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CANARY = "window.canary = (window.canary || 0) + 1"
HOSTILE = (
    f"\"'><img src=x onerror='{CANARY}'><script>{CANARY}</script><svg onload='{CANARY}'>"
    f"</title></textarea></style><a href='javascript:{CANARY}'>x</a>{{{{ 7|add:7 }}}}"
)
Open = Callable[..., Any]


def hostile_answer() -> Answer:
    """A chart and a table whose every text is an attack."""
    plain = samples.top_products()
    return replace(
        plain,
        headline=HOSTILE,
        claims=(),
        caveats=(HOSTILE,),
        assumptions=(HOSTILE,),
        row_scope=(HOSTILE,),
        next_questions=(HOSTILE,),
        restatement=HOSTILE,
        columns=tuple(replace(c, label=f"{c.name} {HOSTILE}") for c in plain.columns),
        rows=tuple((f"{n} {HOSTILE}", *row[1:]) for n, row in enumerate(plain.rows)),
    )


@pytest.fixture
def page(chromium: Any, site: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A page signed in as the analyst, in a browser that tells what its policy stopped."""
    monkeypatch.setattr(conftest, "ANSWERS", (("", hostile_answer),))
    context = chromium.new_context(base_url=site)
    opened = context.new_page()
    opened.stopped = []
    opened.on("console", lambda m: opened.stopped.append(m.text) if m.type == "error" else None)
    opened.on("dialog", lambda dialog: opened.stopped.append("a dialog"))
    opened.goto("/sign-in/")
    opened.click('button[value="analyst"]')
    opened.wait_for_url("**/ask/")
    yield opened
    context.close()


def is_clean(page: Any) -> bool:
    """Nothing ran, and no text became an element."""
    made = "document.querySelectorAll('img, svg[onload], [onerror], a[href^=javascript]').length"
    return page.evaluate("window.canary === undefined") and page.evaluate(made) == 0


def test_a_hostile_question_and_its_hostile_answer_stay_text(page: Any) -> None:
    page.fill("#question", HOSTILE)
    page.keyboard.press("Enter")
    page.wait_for_selector(".headline")
    page.wait_for_selector("article[data-state=answered]")
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert is_clean(page), "as it came through the stream"
    page.reload()
    page.wait_for_selector("table tbody tr")
    for mark in page.query_selector_all(".hit")[:3]:
        mark.hover()
    page.click("thead th:nth-child(2) button")
    assert is_clean(page), "as a page of its own"
    assert HOSTILE[:30] in page.inner_text("body")
    page.goto(page.url.split("?")[0] + "receipt/")
    assert is_clean(page)
    assert page.stopped == []


@pytest.mark.parametrize("path", ["/sign-in/?next={}", "/{}/", "/runs/{}/", "/catalog/metrics/{}/", "/ask/?chart={}"])
def test_a_hostile_address_stays_text(page: Any, path: str) -> None:
    page.goto(path.format(quote(HOSTILE, safe="")))
    assert is_clean(page)
    assert [told for told in page.stopped if "Content Security Policy" in told or told == "a dialog"] == []


def test_a_hostile_name_of_a_token_stays_text(page: Any) -> None:
    page.goto("/account/")
    page.fill("#name", HOSTILE[:100])
    page.click("text=Make a token")
    page.wait_for_selector("text=It is not shown again")
    assert is_clean(page)
    assert HOSTILE[:60] in page.inner_text("table")


def test_the_policy_stops_what_would_run_if_text_ever_became_an_element(page: Any) -> None:
    page.evaluate(
        """code => {
            const script = document.createElement('script');
            script.textContent = code;
            document.body.append(script);
            const image = document.createElement('div');
            image.innerHTML = `<img src=x onerror="${code}"><a href="javascript:${code}">go</a>`;
            image.innerHTML += '<p style="color:red">x</p>';
            document.body.append(image);
            image.querySelector('a').click();
        }""",
        CANARY,
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.canary === undefined")
    assert not is_clean(page), "an element made of text would have been seen"
    assert page.evaluate("fetch('https://evil.example/').then(() => 'sent', () => 'stopped')") == "stopped"
    assert sum("Content Security Policy" in told for told in page.stopped) >= 3


def test_no_other_site_frames_a_page(page: Any, site: str) -> None:
    page.goto("about:blank")
    page.set_content(f'<iframe src="{site}/sign-in/"></iframe>')
    page.wait_for_timeout(500)
    frame = page.query_selector("iframe").content_frame()
    assert "username" not in frame.content()
    assert frame.url.startswith("chrome-error:"), "the browser refused it"


def test_a_browser_keeps_no_page_of_somebody_who_has_signed_out(page: Any) -> None:
    page.click("summary.who")
    page.click("text=Sign out")
    page.wait_for_url("**/sign-in/")
    page.go_back()
    page.wait_for_url("**/sign-in/**")
    assert page.query_selector("#question") is None
