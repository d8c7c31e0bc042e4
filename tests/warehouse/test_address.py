"""An address of a warehouse leads to a warehouse, and nowhere else that this machine could reach."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from dataagent.warehouse import pool, postgres_link
from dataagent.warehouse.address import AddressError, refused, target_of
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse

GOOD = "postgresql://reader:s3cret@db.example.com:6432/shop"
PARAMETERS = (
    "options=-c%20role%3Dpostgres",
    "service=other",
    "servicefile=/etc/passwd",
    "passfile=/etc/passwd",
    "host=169.254.169.254",
    "hostaddr=169.254.169.254",
    "port=22",
    "user=postgres",
    "password=x",
    "dbname=other",
    "sslkey=/etc/ssl/private/key.pem",
    "sslcert=/etc/ssl/cert.pem",
    "sslpassword=x",
    "krbsrvname=x",
    "requirepeer=root",
    "application_name=x",
    "replication=database",
    "load_balance_hosts=random",
    "sslmode=require&sslmode=disable",
    "SSLMODE=disable",
    "",
)


def test_a_plain_address_is_taken_with_what_makes_it_safer() -> None:
    found = target_of(f"{GOOD}?sslmode=verify-full&sslrootcert=system")
    assert (found.user, found.password, found.host, found.port) == ("reader", "s3cret", "db.example.com", 6432)
    assert found.parameters == (("sslmode", "verify-full"), ("sslrootcert", "system"))
    assert found.shown == "postgresql://db.example.com:6432/shop"
    assert target_of("postgres://a%40b:p%2Fw@[2001:db8::1]/my%20db").shown == "postgresql://[2001:db8::1]:5432/my db"


def test_an_address_never_shows_its_password() -> None:
    warehouse = PostgresWarehouse(GOOD)
    assert "s3cret" not in f"{target_of(GOOD)!r} {target_of(GOOD)} {warehouse!r} {warehouse}"


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_what_libpq_would_take_beyond_that_is_refused_by_name(parameter: str) -> None:
    with pytest.raises(AddressError) as told:
        target_of(f"{GOOD}?{parameter or '&'}")
    assert "s3cret" not in str(told.value)
    assert "/etc/" not in str(told.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "gopher://h:70/x",
        "postgresql:///shop",
        "postgresql://reader:s3cret@/shop?host=/var/run/postgresql",
        "postgresql://reader:s3cret@%2Fvar%2Frun%2Fpostgresql/shop",
        "postgresql://reader:s3cret@%40abstract/shop",
        "postgresql://reader:s3cret@good.example.com,169.254.169.254/shop",
        "postgresql://reader:s3cret@h:99999/shop",
        "postgresql://reader:s3cret@h/shop#x",
        "postgresql://reader:s3cret@h/shop\n",
        "postgresql://reader:s3cret@h/sh\0op",
        "postgresql://reader:s3cret@h/sh%00op",
        "postgresql://reader:s3cret@h/host=evil%20dbname=shop",
        "postgresql://reader:s3cret@h/postgresql://evil/shop",
        "host=evil dbname=shop",
    ],
)
def test_an_address_that_is_no_plain_one_is_refused(url: str) -> None:
    with pytest.raises(AddressError) as told:
        target_of(url)
    assert "s3cret" not in str(told.value)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "169.254.170.2",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "100.100.100.200",
        "168.63.129.16",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "ff02::1",
        "255.255.255.255",
        "no address",
    ],
)
def test_places_that_only_this_machine_should_talk_to_are_refused(address: str) -> None:
    assert refused(["192.0.2.7", address]) == address


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.1.2.3", "192.168.1.5", "8.8.8.8", "2001:db8::1"])
def test_a_server_of_ones_own_network_may_be_read(address: str) -> None:
    assert refused([address]) == ""


@pytest.mark.parametrize("host", ["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.169.254"])
def test_a_number_that_means_such_a_place_is_refused_before_anything_is_sent(host: str, refusing: list[Any]) -> None:
    with pytest.raises(WarehouseFault, match="a place that no warehouse is read from"):
        PostgresWarehouse(f"postgresql://reader:s3cret@{host}/shop").schema()
    assert refusing == []


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a driver is asked to connect to; it never does."""
    asked: list[Any] = []

    def connect(where: str, **_: Any) -> None:
        asked.append(conninfo_to_dict(where))
        raise postgres_link.psycopg.OperationalError("nobody is there")

    monkeypatch.setattr(postgres_link.psycopg, "connect", connect)
    return asked


def names(monkeypatch: pytest.MonkeyPatch, *looks: list[str]) -> None:
    """A name server that answers differently on each look."""
    answers = iter(looks)

    def look(_host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (at, port)) for at in next(answers)]

    monkeypatch.setattr(socket, "getaddrinfo", look)


def test_a_name_that_leads_elsewhere_on_the_second_look_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch, refusing: list[Any]
) -> None:
    names(monkeypatch, ["192.0.2.7", "192.0.2.8"], ["169.254.169.254"])
    with pytest.raises(WarehouseFault):
        PostgresWarehouse(GOOD).schema()
    (asked,) = refusing
    assert asked["hostaddr"] == "192.0.2.7,192.0.2.8"
    assert asked["host"] == "db.example.com,db.example.com"
    assert "options" not in asked
    with pytest.raises(WarehouseFault, match="a place that no warehouse"):
        PostgresWarehouse(GOOD).schema()
    assert len(refusing) == 1


def test_one_bad_address_among_good_ones_is_enough(monkeypatch: pytest.MonkeyPatch, refusing: list[Any]) -> None:
    names(monkeypatch, ["192.0.2.7", "169.254.169.254"])
    with pytest.raises(WarehouseFault, match="a place that no warehouse"):
        PostgresWarehouse(GOOD).schema()
    assert refusing == []


@pytest.mark.parametrize("slug", ["../other", "a/b", "/etc/passwd", "", ".", "a\0", "a.duckdb", "a b", "ä", "x" * 101])
def test_a_name_of_a_workspace_names_no_file_elsewhere(slug: str, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path / "home"
    with pytest.raises(WarehouseFault):
        pool.warehouse_for(slug)
    assert pool.file_of("shop").parent == tmp_path / "home" / "warehouse"
