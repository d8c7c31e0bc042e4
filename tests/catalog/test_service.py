"""Publishing keeps every version, one of them current, within one workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog import service
from catalog.issues import CatalogError
from dataagent.accounts.models import Workspace
from tests.catalog.shop import FOLDER, shop

pytestmark = pytest.mark.django_db


@pytest.fixture
def workspace() -> int:
    return Workspace.objects.create(slug="catalog-test", name="Test").pk


def test_a_published_folder_is_the_current_catalog(workspace: int) -> None:
    published = service.publish_folder(workspace, FOLDER)
    assert published.digest == shop().digest
    assert service.current_snapshot(workspace) is published
    assert service.publish_folder(workspace, FOLDER) is published


def test_an_earlier_version_stays_readable(workspace: int, tmp_path: Path) -> None:
    first = service.publish_folder(workspace, FOLDER)
    (tmp_path / "c.yaml").write_text((FOLDER / "catalog.yaml").read_text().replace("label: Revenue", "label: Income"))
    second = service.publish_folder(workspace, tmp_path)
    assert service.current_snapshot(workspace).digest == second.digest != first.digest
    assert service.snapshot_by_digest(workspace, first.digest).digest == first.digest
    service.publish_folder(workspace, FOLDER)
    assert service.current_snapshot(workspace).digest == first.digest


def test_a_catalog_belongs_to_one_workspace(workspace: int) -> None:
    published = service.publish_folder(workspace, FOLDER)
    other = Workspace.objects.create(slug="catalog-other", name="Other").pk
    with pytest.raises(service.NoCatalog):
        service.current_snapshot(other)
    with pytest.raises(service.NoCatalog):
        service.snapshot_by_digest(other, published.digest)


def test_a_broken_folder_changes_nothing(workspace: int, tmp_path: Path) -> None:
    published = service.publish_folder(workspace, FOLDER)
    (tmp_path / "c.yaml").write_text("metrics: [{name: a}]")
    with pytest.raises(CatalogError):
        service.publish_folder(workspace, tmp_path)
    assert service.current_snapshot(workspace) is published
