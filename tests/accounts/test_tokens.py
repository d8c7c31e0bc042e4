"""API tokens: shown once, kept as a digest, gone when revoked, expired or the member has left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from dataagent.accounts import service
from dataagent.accounts.models import ApiToken
from dataagent.accounts.types import Member
from dataagent.errors import ShownError

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)


@pytest.fixture
def analyst(db: None) -> Member:
    place = service.create_workspace("demo", name="Demo")
    return service.set_member(place.id, service.create_user("analyst").id, roles=["analyst"])


def test_a_minted_token_opens_its_member(analyst: Member) -> None:
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    assert service.verify_token(minted.plain, now=NOW) == analyst


def test_only_the_digest_of_a_token_is_stored(analyst: Member) -> None:
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    row = ApiToken.rows.of(analyst.workspace.id).get()
    assert len(row.digest) == 64
    assert minted.plain not in (row.digest, row.name)


@pytest.mark.parametrize("plain", ["", "dat", "dat__", "dat_1_", "dat_x_y", "dat_²_y", "dat_" + "9" * 40 + "_y"])
def test_a_malformed_token_opens_nothing(analyst: Member, plain: str) -> None:
    assert service.verify_token(plain, now=NOW) is None


def test_a_token_moved_to_another_workspace_opens_nothing(analyst: Member) -> None:
    other = service.create_workspace("other", name="Other")
    service.set_member(other.id, analyst.account.id, roles=["admin"])
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    forged = minted.plain.replace(f"dat_{analyst.workspace.id}_", f"dat_{other.id}_")
    assert service.verify_token(forged, now=NOW) is None


def test_a_revoked_token_opens_nothing(analyst: Member) -> None:
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    assert service.revoke_token(analyst.workspace.id, analyst.account.id, minted.token.id, now=NOW)
    assert service.verify_token(minted.plain, now=NOW) is None


def test_an_expired_token_opens_nothing_and_a_fresh_one_does(analyst: Member) -> None:
    ends = NOW + timedelta(hours=1)
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop", expires_at=ends)
    assert service.verify_token(minted.plain, now=NOW) == analyst
    assert service.verify_token(minted.plain, now=ends) is None


def test_a_token_of_someone_who_left_opens_nothing(analyst: Member) -> None:
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    assert service.remove_member(analyst.workspace.id, analyst.account.id)
    assert service.verify_token(minted.plain, now=NOW) is None


def test_someone_elses_token_cannot_be_revoked(analyst: Member) -> None:
    minted = service.mint_token(analyst.workspace.id, analyst.account.id, name="laptop")
    stranger = service.create_user("stranger")
    assert not service.revoke_token(analyst.workspace.id, stranger.id, minted.token.id, now=NOW)
    assert service.verify_token(minted.plain, now=NOW) == analyst


def test_a_stranger_gets_no_token(analyst: Member) -> None:
    stranger = service.create_user("stranger")
    with pytest.raises(ShownError):
        service.mint_token(analyst.workspace.id, stranger.id, name="laptop")
