"""Devices are asked in the hall's own network alone, at the address that was judged."""

from __future__ import annotations

import socket

import pytest

from bingo import hosts
from bingo.rules.refusal import Refusal
from bingo.slips import printer
from draws.receipts.documents import sale_slip
from tests.support.receipts import purchase


@pytest.mark.parametrize(
    "name", ["192.168.1.20", "10.0.0.7", "172.16.3.4", "fd12:3456::1", "100.64.0.9"]
)
def test_private_addresses_are_asked(name: str) -> None:
    assert hosts.resolve(name, 9100, loopback=False) == name


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "169.254.169.254", "fe80::1", "fd00:ec2::254",
        "224.0.0.1", "ff02::1", "255.255.255.255", "8.8.8.8", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "2130706433", "localhost",
    ],
)  # fmt: skip
def test_this_machine_links_clouds_and_the_world_are_not(name: str) -> None:
    with pytest.raises(hosts.NotAllowed):
        hosts.resolve(name, 9100, loopback=False)


def test_this_machine_is_asked_where_that_is_said() -> None:
    assert hosts.resolve("127.0.0.1", 9100, loopback=True) == "127.0.0.1"


def answers(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let every name have these addresses, one after the other; return the names that were asked."""
    asked: list[str] = []
    waiting = list(addresses)

    def getaddrinfo(name: str, port: int, **_more: object) -> list[tuple[object, ...]]:
        asked.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (waiting.pop(0), port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_name_that_leads_out_of_the_hall_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "8.8.8.8")
    with pytest.raises(hosts.NotAllowed):
        hosts.resolve("caixa-1", 9100, loopback=False)


def test_name_is_asked_once_and_its_answer_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second answer would be this machine: who asked twice would print there."""
    asked = answers(monkeypatch, "192.168.1.20", "127.0.0.1")
    reached: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        reached.append(address)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Refusal, match="printer_unreachable"):
        printer.send(sale_slip(purchase()), "caixa-1:9100")
    assert asked == ["caixa-1"]
    assert reached == [("192.168.1.20", 9100)]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:9100",
        "192.168.1.20:22",
        "192.168.1.20:6379",
        "192.168.1.20:9200",
        "192.168.1.20:80",
        "caixa:5432",
    ],
)
def test_printer_is_in_the_hall_and_at_a_port_of_printers(address: str) -> None:
    with pytest.raises(Refusal, match="bad_printer"):
        printer.require_in_hall(address, loopback=False)


@pytest.mark.parametrize("address", ["192.168.1.20:9100", "10.0.0.3:9101", "caixa:9199"])
def test_printers_of_the_hall_are_taken(address: str) -> None:
    printer.require_in_hall(address, loopback=False)
