"""Members of a workspace as files of this machine: fetched once from the database, mapped by every process."""

from __future__ import annotations

import hashlib
import logging
import mmap
import os
import threading
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from catalog.members import Members
from dataagent.runs import store
from dataagent.runs.memberlists import MemberListFacts

log = logging.getLogger(__name__)


class StaleList(Exception):
    """The version is not there any more, or not whole: there is a newer one."""


def folder(workspace_id: int) -> Path:
    """Where a workspace's files are; made where it was absent, for this account alone."""
    place = Path(settings.HOME) / "members" / str(workspace_id)
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return place


def file_of(workspace_id: int, digest: str) -> Path:
    """The file of the members of that digest, which may be absent."""
    return folder(workspace_id) / f"{digest}.members"


def loaded(workspace_id: int, facts: MemberListFacts) -> Members:
    """The members of a version.  Where the disk cannot hold them they are in memory.

    Raises: StaleList where the version was replaced meanwhile.
    """
    try:
        path = file_of(workspace_id, facts.digest)
        if not _is_whole(path, facts):
            _fetch(workspace_id, facts, path)
        with path.open("rb") as file:
            return Members(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        log.warning("Members are kept in memory, for the data folder cannot hold them: %s", error.strerror)
        return Members(_checked(b"".join(store.member_chunks(workspace_id, facts.id)), facts))


def forget_files(workspace_id: int) -> None:
    """Deletes the files of versions that are gone; who has one of them mapped keeps it."""
    known = {f.digest for f in store.member_lists(workspace_id)}
    for path in folder(workspace_id).glob("*.members"):
        if path.stem not in known:
            with suppress(OSError):
                path.unlink()


def _is_whole(path: Path, facts: MemberListFacts) -> bool:
    if not path.exists() or path.stat().st_size != facts.size_bytes:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == facts.digest


def _fetch(workspace_id: int, facts: MemberListFacts, path: Path) -> None:
    """Writes a version beside its place and moves it there when it is whole."""
    partial = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.partial")
    digest = hashlib.sha256()
    try:
        with partial.open("wb") as out:
            for chunk in store.member_chunks(workspace_id, facts.id):
                out.write(chunk)
                digest.update(chunk)
        if digest.hexdigest() != facts.digest:
            raise StaleList
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _checked(packed: bytes, facts: MemberListFacts) -> bytes:
    if hashlib.sha256(packed).hexdigest() != facts.digest:
        raise StaleList
    return packed
