"""The chain tells what was changed, taken out or put in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dataagent.runs import chain, encoding
from dataagent.runs.chain import Link


def a_chain(length: int) -> list[Link]:
    links: list[Link] = []
    previous = chain.GENESIS
    for number in range(1, length + 1):
        content = f'{{"n":{number}}}'
        digest = chain.link_digest(
            workspace="shop",
            sequence=number,
            content_digest=encoding.sha256(content.encode()),
            previous_digest=previous,
        )
        links.append(
            Link(
                workspace="shop",
                sequence=number,
                run=f"r{number}",
                content=content,
                previous_digest=previous,
                digest=digest,
            )
        )
        previous = digest
    return links


def test_a_whole_chain_holds() -> None:
    assert chain.verify(a_chain(4)) == chain.ChainVerdict(ok=True, links=4)


def test_an_empty_chain_holds() -> None:
    assert chain.verify([]).ok


@pytest.mark.parametrize("position", [1, 2, 4])
def test_a_changed_content_is_found_at_its_position(position: int) -> None:
    links = a_chain(4)
    links[position - 1] = replace(links[position - 1], content='{"n":99}')
    verdict = chain.verify(links)
    assert (verdict.position, verdict.code) == (position, "changed_content")


def test_a_removed_link_is_found() -> None:
    links = a_chain(4)
    assert chain.verify(links[:1] + links[2:]).position == 2


def test_a_link_of_another_workspace_does_not_fit() -> None:
    links = a_chain(2)
    assert chain.verify([replace(link, workspace="other") for link in links]).position == 1


def test_a_forged_link_that_hides_a_change_breaks_the_next_one() -> None:
    links = a_chain(3)
    forged = replace(links[1], content='{"n":0}')
    digest = chain.link_digest(
        workspace="shop",
        sequence=2,
        content_digest=encoding.sha256(forged.content.encode()),
        previous_digest=forged.previous_digest,
    )
    links[1] = replace(forged, digest=digest)
    verdict = chain.verify(links)
    assert (verdict.position, verdict.code) == (3, "broken_link")
