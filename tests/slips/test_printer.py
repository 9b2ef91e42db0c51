"""A slip reaches a printer over a real connection; one away or silent is given up in time."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from bingo.rules.refusal import Refusal
from bingo.slips.printer import GRACE, PATIENCE, printer_address, send, to_commands
from draws.receipts.documents import sale_slip
from tests.support.receipts import purchase
from tests.support.receipts_receipts import Printer, until_received


@pytest.fixture
def printer() -> Iterator[Printer]:
    made = Printer()
    yield made
    made.close()


IN_TIME = 2 * PATIENCE + GRACE


def refusal(address: str) -> tuple[Refusal, float]:
    """Return the refusal of a send, and the seconds it took."""
    begun = time.monotonic()
    with pytest.raises(Refusal) as refused:
        send(sale_slip(purchase()), address, loopback=True)
    return refused.value, time.monotonic() - begun


def test_slip_reaches_the_printer_whole_and_once(printer: Printer) -> None:
    send(sale_slip(purchase()), printer.address, loopback=True)
    assert until_received(printer, 1) == [to_commands(sale_slip(purchase()))]


def test_slips_reach_the_printer_in_their_order(printer: Printer) -> None:
    for entry in (1, 2, 3):
        send(sale_slip(purchase(entry=entry)), printer.address, loopback=True)
    assert until_received(printer, 3) == [
        to_commands(sale_slip(purchase(entry=entry))) for entry in (1, 2, 3)
    ]


def test_slip_reaches_a_printer_by_its_name(printer: Printer) -> None:
    send(sale_slip(purchase()), printer.address.replace("127.0.0.1", "localhost"), loopback=True)
    assert until_received(printer, 1) == [to_commands(sale_slip(purchase()))]


def test_slip_reaches_a_printer_that_tells_of_itself_before_it_reads() -> None:
    talker = Printer(says=b"\x14\x00\x00\x0f" * 500, thinks=GRACE / 2)
    try:
        send(sale_slip(purchase()), talker.address, loopback=True)
        assert until_received(talker, 1) == [to_commands(sale_slip(purchase()))]
    finally:
        talker.close()


@pytest.mark.slow
def test_printer_that_does_not_hang_up_is_left_in_time() -> None:
    lingerer = Printer(hangs_up=False)
    try:
        begun = time.monotonic()
        send(sale_slip(purchase()), lingerer.address, loopback=True)
        assert time.monotonic() - begun < IN_TIME
        assert until_received(lingerer, 1) == [to_commands(sale_slip(purchase()))]
    finally:
        lingerer.close()


def test_printer_that_is_switched_off_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        address = f"127.0.0.1:{gone.getsockname()[1]}"
    refused, seconds = refusal(address)
    assert refused == Refusal("printer_unreachable", printer=address)
    assert seconds < PATIENCE


@pytest.mark.slow
def test_host_that_never_answers_is_refused_in_time() -> None:
    """A full queue of callers: the machine lets further ones wait, as a dead address would."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        address = silent.getsockname()
        callers = [socket.socket() for _caller in range(4)]
        try:
            for caller in callers:
                caller.setblocking(False)
                caller.connect_ex(address)
            refused, seconds = refusal(f"127.0.0.1:{address[1]}")
        finally:
            for caller in callers:
                caller.close()
    assert refused.code == "printer_unreachable"
    assert PATIENCE * 0.9 < seconds < IN_TIME


def test_name_that_nobody_has_is_refused() -> None:
    refused, _seconds = refusal("no-such-printer.invalid:9100")
    assert refused == Refusal("printer_unreachable", printer="no-such-printer.invalid:9100")


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.50:9100", "192.168.1.50", 9100),
        ("192.168.1.50", "192.168.1.50", 9100),
        ("10.0.0.7:9101", "10.0.0.7", 9101),
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("caixa-1:65535", "caixa-1", 65535),
        ("impressora.local", "impressora.local", 9100),
    ],
)
def test_address_of_a_printer_is_read(text: str, host: str, port: int) -> None:
    assert printer_address(text) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "", ":", ":9100", "caixa-1:", "caixa-1:0", "caixa-1:65536", "caixa-1:-1", "caixa-1:9100x",
        "caixa-1:09100", "caixa-1: 9100", " caixa-1:9100", "caixa 1:9100", "caixa-1:9100\n",
        "http://caixa-1:9100", "tcp://10.0.0.7", "//10.0.0.7", "user@caixa-1", "caixa-1/x:9100",
        "8.8.8.8:9100", "0.0.0.0:9100", "224.0.0.1:9100", "10.0.0.7.8:9100", "10.0.0.256:9100",
        "134744072:9100", "0x08080808:9100", "010.0.0.7:9100", "::1", "[::1]:9100", "caixa_1:9100",
        "-caixa:9100", "caixa\N{FULLWIDTH COLON}9100", "caixa-1:\N{ARABIC-INDIC DIGIT NINE}",
    ],
)  # fmt: skip
def test_what_is_no_printer_of_the_hall_is_refused_unsent(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        printer_address(text)
    assert refused.value.code == "bad_printer"
    assert refusal(text)[0].code == "bad_printer"
