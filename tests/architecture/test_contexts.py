"""Templates show the fields of their page's dataclass, and every field is shown or read."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from functools import cache
from pathlib import Path
from typing import Any

from frontend.contexts.access import AccessPage, PreviewPage, WaitingPage
from frontend.contexts.account import AccountPage
from frontend.contexts.cards import CardPage, CardsPage, EditPage, ProposalPage
from frontend.contexts.catalog import CatalogPage, DimensionPage, MetricPage
from frontend.contexts.errors import ErrorPage
from frontend.contexts.evals import CasePage, EvalRunPage, EvalsPage
from frontend.contexts.operating import OperatePage
from frontend.contexts.receipt import AuditPage, ReceiptPage
from frontend.contexts.run import AskPage, ConversationLink, RunDocument, StepLine
from frontend.contexts.shell import Shell
from frontend.contexts.sign_in import SignInPage
from frontend.contexts.words import TeachPage, WordProposalPage, WordsPage
from tests.architecture.showing import Shown, show
from tests.architecture.sources import ROOT, tree_of

RUN = {"run": RunDocument, "conversations": tuple[ConversationLink, ...]}
PAGES: dict[str, dict[str, Any]] = {
    "access/page.html": {"page": AccessPage},
    "access/preview.html": {"page": PreviewPage},
    "access/waiting.html": {"page": WaitingPage},
    "accounts/account.html": {"page": AccountPage},
    "accounts/page.html": {"page": SignInPage},
    "ask/page.html": {"page": AskPage},
    "cards/page.html": {"page": CardsPage},
    "cards/card.html": {"page": CardPage},
    "cards/edit.html": {"page": EditPage},
    "cards/proposal.html": {"page": ProposalPage},
    "catalog/page.html": {"page": CatalogPage},
    "catalog/metric.html": {"page": MetricPage},
    "catalog/dimension.html": {"page": DimensionPage},
    "errors/page.html": {"error": ErrorPage},
    "evals/page.html": {"page": EvalsPage},
    "evals/run.html": {"page": EvalRunPage},
    "evals/_part.html": {"page": EvalRunPage},
    "evals/case.html": {"page": CasePage},
    "operate/page.html": {"page": OperatePage},
    "receipt/page.html": {"page": ReceiptPage},
    "receipt/audit.html": {"page": AuditPage},
    "run/page.html": RUN,
    "words/page.html": {"page": WordsPage},
    "words/teach.html": {"page": TeachPage},
    "words/proposal.html": {"page": WordProposalPage},
    "run/_finished.html": RUN,
    "run/_gone.html": {},
    "run/_step.html": {"step": StepLine},
}
VIEWS = sorted(p.relative_to(ROOT) for p in (ROOT / "frontend" / "views").glob("*.py"))
CONTEXTS = sorted(p.relative_to(ROOT) for p in (ROOT / "frontend" / "contexts").glob("*.py"))


@cache
def shown() -> Shown:
    found = Shown()
    for template, names in PAGES.items():
        show(f"frontend/{template}", {"shell": Shell, **names}, found)
    return found


def read_in_views() -> set[str]:
    """Names of attributes that Python reads in the views and in the contexts."""
    paths: list[Path] = [*VIEWS, *CONTEXTS]
    return {n.attr for p in paths for n in ast.walk(tree_of(p)) if isinstance(n, ast.Attribute)}


def test_every_template_that_a_view_names_is_walked() -> None:
    named = {
        node.value.removeprefix("frontend/")
        for path in VIEWS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".html")
    }
    assert named == set(PAGES)


def test_a_template_names_only_fields_of_its_page() -> None:
    assert shown().unknown == []


def test_every_field_of_a_page_is_shown() -> None:
    modules = [importlib.import_module(".".join(p.with_suffix("").parts)) for p in CONTEXTS]
    own = {
        (kind, field.name)
        for module in modules
        for kind in vars(module).values()
        if dataclasses.is_dataclass(kind) and isinstance(kind, type) and kind.__module__ == module.__name__
        for field in dataclasses.fields(kind)
    }
    assert len(own) > 100
    idle = {f"{kind.__name__}.{name}" for kind, name in own - shown().fields if name not in read_in_views()}
    assert idle == set()


def test_a_misspelt_field_is_found() -> None:
    found = Shown()
    show("frontend/run/_step.html", {"step": ErrorPage}, found)
    assert found.unknown == ["frontend/run/_step.html: step.text"]
