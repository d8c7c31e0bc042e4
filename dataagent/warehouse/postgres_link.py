"""One connection to a PostgreSQL warehouse: how it is opened, bounded, stopped and told apart when it fails."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import RawCursor, errors
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus

from dataagent.sqlguard.schema import Column
from dataagent.warehouse.address import AddressError, Target, refused, target_of
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres_values import register
from dataagent.warehouse.process import UTC

POWERFUL = (
    "The warehouse's login may do more than read (it is a superuser or may reach files and programs of the server). "
    "Give the product a login of its own that may only select."
)
NO_ROLE = (
    "The policy names a role of the warehouse that cannot be taken: there is none, the product's login is no member "
    "of it, or it passes row security by."
)
BAD_PLACE = "The warehouse's host is a place that no warehouse is read from (link-local, multicast or metadata)."
_CONNECT_S = 5
_GRACE_S = 1.0
_LOCK_S = 5.0
_EARLY_S = 0.05
_LIVELY_S = 5.0
_NETWORK = {
    "passfile": "/dev/null/none",
    "connect_timeout": str(_CONNECT_S),
    "keepalives": "1",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "client_encoding": "UTF8",
}
_HELLO = """
SELECT split_part(current_setting('server_version'), ' ', 1),
  r.rolsuper OR r.rolreplication OR r.rolcreaterole OR EXISTS (
    SELECT FROM pg_catalog.pg_roles p
    WHERE p.rolname IN (
        'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_write_all_data')
      AND pg_has_role(session_user, p.oid, 'member')),
  (SELECT set_config('idle_session_timeout', '600s', false)
     || set_config('client_connection_check_interval', '1s', false)
   WHERE current_setting('server_version_num')::int >= 140000)
FROM pg_catalog.pg_roles r WHERE r.rolname = session_user
"""
_CLEAR = """
SELECT pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
WHERE application_name = $1 AND state = 'active' AND pid <> pg_backend_pid()
"""
_ROLE = """
SELECT set_config('role', r.rolname, true) FROM pg_catalog.pg_roles r
WHERE r.rolname = $1 AND NOT r.rolsuper AND NOT r.rolbypassrls
"""
_PINNED = (
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("extra_float_digits", "1"),
    ("bytea_output", "hex"),
    ("standard_conforming_strings", "on"),
)
"""What results look like must not depend on the settings of a login."""


def name_of(query_id: str) -> str:
    """What PostgreSQL calls the one who runs that query: by it a query is found when nobody waits for it any more."""
    return f"dataagent {query_id}"[:63]


class Address:
    """Where a warehouse is.  Its text never holds the password."""

    __slots__ = ("_target",)

    def __init__(self, target: Target) -> None:
        self._target = target

    @classmethod
    def of(cls, url: str) -> Address:
        """The address in a URL.  Raises: WarehouseFault(unreachable) where it is none, or says more than it may."""
        try:
            return cls(target_of(url))
        except AddressError as error:
            raise WarehouseFault("unreachable", str(error)) from None

    @property
    def shown(self) -> str:
        """The place in words."""
        return self._target.shown

    @property
    def database(self) -> str:
        """The database's name."""
        return self._target.database

    def connect(self) -> psycopg.Connection[Any]:
        """A new connection outside any transaction.

        Raises: psycopg.Error; WarehouseFault(unreachable) for a place that no warehouse is read from.
        """
        target = self._target
        places = _places(target)
        where = make_conninfo(
            **{**_NETWORK, **dict(target.parameters)},
            host=",".join([target.host] * len(places)),
            hostaddr=",".join(places),
            port=str(target.port),
            user=target.user,
            password=target.password,
            dbname=target.database,
            application_name=name_of("warehouse"),
        )
        connection = psycopg.connect(where, autocommit=True, prepare_threshold=None)
        register(connection)
        return connection

    def __repr__(self) -> str:
        return self.shown


def _places(target: Target) -> list[str]:
    """The addresses of the target's host.  The connection goes to one of these and asks for no name again:
    a name that leads elsewhere on a second look (DNS rebinding) leads nowhere."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise psycopg.OperationalError("the host's name is not known") from error
    places = list(dict.fromkeys(str(at[4][0]) for at in found))
    if refused(places):
        raise WarehouseFault("unreachable", BAD_PLACE)
    return places


class Link:
    """One connection.  Used by one thread at a time; `stop` may come from any thread.

    `version` is the server's, `powerful` whether its login may do more than read and write tables.
    """

    def __init__(self, address: Address) -> None:
        self._connection = address.connect()
        self._stop_code = ""
        self._ends_at = 0.0
        self._used_at = time.monotonic()
        hello = self._connection.execute(_HELLO).fetchone()
        self.version = str(hello[0]) if hello else ""
        self.powerful = bool(hello[1]) if hello else True

    def cursor(self) -> RawCursor[tuple[Any, ...]]:
        """A cursor whose parameters are `$1`, `$2` …"""
        return RawCursor(self._connection)

    def columns(self, cursor: RawCursor[tuple[Any, ...]]) -> tuple[Column, ...]:
        """Names and engine types of a result's columns; none where the statement gave no result."""
        return tuple(Column(name=d.name, type=d.type_display) for d in cursor.description or ())

    @property
    def healthy(self) -> bool:
        """Whether the connection can take another request.  One that was told to stop may not:
        a late cancel would hit someone else's query."""
        idle = self._connection.info.transaction_status is TransactionStatus.IDLE
        return not self._stop_code and not self._connection.closed and idle

    def rest(self) -> None:
        """Remember that the connection returns to its pool now."""
        self._used_at = time.monotonic()

    def idle_s(self) -> float:
        """Seconds since the connection was used last."""
        return time.monotonic() - self._used_at

    def answers(self) -> bool:
        """Whether the server is still at the other end; asked only after a rest."""
        if self.idle_s() < _LIVELY_S and not self._connection.broken:
            return _is_quiet(self._connection)
        try:
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def stop(self, code: str) -> None:
        """Cancel the running query in the server; a second later the connection itself is ended."""
        if self._stop_code:
            return
        self._stop_code = code
        with contextlib.suppress(psycopg.Error, OSError):
            self._connection.cancel_safe(timeout=_GRACE_S)
        again = threading.Timer(_GRACE_S, self._sever)
        again.daemon = True
        again.start()

    @contextlib.contextmanager
    def limited(self, timeout_s: float) -> Iterator[None]:
        """A time that also ends a server which does not keep its own, or a network that went silent."""
        watch = threading.Timer(timeout_s + _GRACE_S, self.stop, ("timeout",))
        watch.daemon = True
        self._ends_at = time.monotonic() + timeout_s
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def code_of(self, error: psycopg.Error) -> str:
        """The fault code of an engine error."""
        if self._stop_code:
            return self._stop_code
        if isinstance(error, errors.QueryCanceled) and time.monotonic() < self._ends_at - _EARLY_S:
            return "cancelled"  # by somebody else: the server's own limit had not come yet
        if isinstance(error, errors.QueryCanceled | errors.LockNotAvailable):
            return "timeout"
        if isinstance(error, errors.TooManyConnections) or self._connection.closed:
            return "unreachable"
        if (error.sqlstate or "").startswith("53"):
            return "out_of_memory"
        lost = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        return "unreachable" if lost or (error.sqlstate or "").startswith(("08", "57P")) else "invalid_query"

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(psycopg.Error, OSError):
            self._connection.close()

    def _sever(self) -> None:
        """Cancel once more, for a query that had not begun the first time, then cut the line."""
        if self._connection.closed or self._connection.info.transaction_status is TransactionStatus.IDLE:
            return
        with contextlib.suppress(psycopg.Error, OSError, ValueError):
            self._connection.cancel_safe(timeout=_GRACE_S)
            handle = os.dup(self._connection.fileno())
            with socket.socket(fileno=handle) as line:
                line.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What holds for one transaction: its time, the zone of moments, the query's id and the role ("": none)."""

    timeout_s: float
    timezone: str = UTC
    query_id: str = ""
    role: str = ""


@contextlib.contextmanager
def read_only(link: Link, session: Session) -> Iterator[None]:
    """A transaction that cannot write, with its limits and its name, in its role; rolled back whatever happens.

    Raises: psycopg.Error, or WarehouseFault(unreachable) where the role cannot be taken.
    """
    cursor = link.cursor()
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    timeout_s = session.timeout_s
    try:
        limits = (
            ("application_name", name_of(session.query_id or "warehouse")),
            ("statement_timeout", f"{round(timeout_s * 1000)}ms"),
            ("lock_timeout", f"{round(min(timeout_s, _LOCK_S) * 1000)}ms"),
            ("idle_in_transaction_session_timeout", f"{round((timeout_s + _LOCK_S) * 1000)}ms"),
            ("TimeZone", session.timezone),
            *_PINNED,
        )
        calls = ", ".join(f"set_config(${2 * n + 1}, ${2 * n + 2}, true)" for n in range(len(limits)))
        cursor.execute(f"SELECT {calls}".encode(), [part for pair in limits for part in pair])
        if session.role:
            _take_role(cursor, session.role)
        yield
    finally:
        with contextlib.suppress(psycopg.Error):
            cursor.execute("ROLLBACK")


def clear(address: Address, query_id: str) -> bool:
    """Whether nothing runs under that id; what did was told to stop.  Raises: psycopg.Error.

    On a connection of its own: those of the pool may all be busy with what is to be stopped.
    """
    with contextlib.closing(address.connect()) as connection:
        return not RawCursor(connection).execute(_CLEAR.encode(), [name_of(query_id)]).fetchall()


def _take_role(cursor: RawCursor[tuple[Any, ...]], role: str) -> None:
    """Read as `role` until the transaction ends.  One that passes row security by would be no wall."""
    try:
        taken = cursor.execute(_ROLE.encode(), [role]).fetchone()
    except (errors.InsufficientPrivilege, errors.InvalidParameterValue):
        taken = None
    if taken is None:
        raise WarehouseFault("unreachable", NO_ROLE)


def _is_quiet(connection: psycopg.Connection[Any]) -> bool:
    """Whether nothing waits to be read: a server that ended has said so, or closed the line."""
    import select

    try:
        return not select.select([connection.fileno()], [], [], 0)[0]
    except (OSError, ValueError, psycopg.Error):
        return False
