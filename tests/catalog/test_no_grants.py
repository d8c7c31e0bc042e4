"""Without a granted table there is nothing to see; only a vocabulary, which has no tables, is judged otherwise."""

from __future__ import annotations

from dataclasses import replace

from catalog.terms import build_index
from tests.catalog.shop import everything, shop


def test_a_role_without_tables_knows_no_dimension_and_no_member() -> None:
    nothing = replace(everything(), without_warehouse=False, digest="none")
    index = build_index(shop(), nothing, {})
    assert index.lookup("region") == ()
    assert index.lookup("gold") == ()


def test_a_vocabulary_knows_its_dimensions() -> None:
    assert build_index(shop(), everything(), {}).lookup("region") != ()
