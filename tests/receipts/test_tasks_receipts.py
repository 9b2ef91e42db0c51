"""The worker prints a receipt: at the till of the sale, once, and only while it is wanted."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from bingo.celery_app import app
from bingo.slips.printer import to_commands
from draws import tasks as draws_tasks
from draws.receipts import queries as receipts_queries
from draws.receipts.documents import payment_slip, sale_slip
from draws.receipts.queries import get_sale_receipt
from halls.models import JournalEntry, Role, Slip
from halls.policy import services as policy_services
from tests.support.evening import Evening
from tests.support.receipts_receipts import Printer, until_received
from tests.support.service_commands.prizes import paid

pytestmark = pytest.mark.django_db


@pytest.fixture
def printer() -> Iterator[Printer]:
    made = Printer()
    yield made
    made.close()


def sold(printers: dict[str, str]) -> JournalEntry:
    """Return the entry of a sale in a hall whose tills have these printers."""
    evening = Evening()
    policy_services.set_policy(
        hall=evening.hall, receipts="printed", printers=printers, **evening.who(Role.HALL_MANAGER)
    )
    evening.reach("sold")
    return JournalEntry.objects.get(kind="cards_sold")


@pytest.mark.slow
def test_receipt_is_printed_at_the_till_of_the_sale(printer: Printer) -> None:
    entry = sold({"Caixa 1": printer.address})
    draws_tasks.print_receipt(sale_entry=entry.pk, given=2000_00)
    assert until_received(printer, 1) == [
        to_commands(sale_slip(get_sale_receipt(entry, given=2000_00)))
    ]


def test_receipt_is_printed_by_the_printer_that_the_till_has_now(printer: Printer) -> None:
    entry = sold({"Caixa 1": "10.0.0.1:9100"})
    policy_services.set_policy(
        hall=entry.hall, receipts="printed", printers={"Caixa 1": printer.address},
        **Evening(hall=entry.hall).who(Role.HALL_MANAGER),
    )  # fmt: skip
    draws_tasks.print_receipt(sale_entry=entry.pk)
    assert len(until_received(printer, 1)) == 1


@pytest.mark.slow
def test_receipt_of_unknown_cash_is_printed_without_change(printer: Printer) -> None:
    entry = sold({"Caixa 1": printer.address})
    draws_tasks.print_receipt(sale_entry=entry.pk)
    assert until_received(printer, 1) == [
        to_commands(sale_slip(get_sale_receipt(entry, given=None)))
    ]


def test_receipt_goes_to_no_other_till(printer: Printer) -> None:
    draws_tasks.print_receipt(sale_entry=sold({"Caixa 2": printer.address}).pk)
    assert printer.received == []


def test_receipt_of_a_hall_that_set_no_printer_is_not_printed() -> None:
    Evening().reach("sold")
    draws_tasks.print_receipt(sale_entry=JournalEntry.objects.get(kind="cards_sold").pk)


def test_receipt_that_comes_too_late_is_not_printed(
    printer: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = sold({"Caixa 1": printer.address})
    late = timezone.now() + draws_tasks.STALE + timedelta(seconds=1)
    monkeypatch.setattr(timezone, "now", lambda: late)
    draws_tasks.print_receipt(sale_entry=entry.pk)
    assert printer.received == []


@pytest.mark.slow
def test_printer_that_is_away_is_logged_and_stops_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        address = f"127.0.0.1:{gone.getsockname()[1]}"
    entry = sold({"Caixa 1": address})
    with caplog.at_level(logging.WARNING):
        draws_tasks.print_receipt(sale_entry=entry.pk)
    assert f"receipt of entry {entry.number} of sala: printer_unreachable" in caplog.text


def test_receipt_whose_worker_was_killed_is_not_printed_twice() -> None:
    assert app.tasks["draws.print_receipt"].acks_late is False
    assert app.tasks["draws.seal_acta"].acks_late is True


def won(printers: dict[str, str]) -> JournalEntry:
    """Return the entry of a payment in a hall whose tills have these printers."""
    evening = Evening()
    policy_services.set_policy(
        hall=evening.hall, receipts="printed", printers=printers, **evening.who(Role.HALL_MANAGER)
    )
    paid(evening.reach("paying"))
    return JournalEntry.objects.get(kind="prize_paid")


@pytest.mark.slow
@pytest.mark.rule(50)
def test_receipt_of_a_payment_is_printed_once_and_again_only_as_a_copy(printer: Printer) -> None:
    entry = won({"Caixa 1": printer.address})
    draws_tasks.print_payment(payment_entry=entry.pk)
    first = to_commands(payment_slip(receipts_queries.get_payment_receipt(entry, copy=False)))
    assert until_received(printer, 1) == [first]
    # Asked for by nobody, it is not printed a second time.
    draws_tasks.print_payment(payment_entry=entry.pk)
    draws_tasks.print_payment(payment_entry=entry.pk, asked=timezone.now().isoformat())
    copy = to_commands(payment_slip(receipts_queries.get_payment_receipt(entry, copy=True)))
    assert until_received(printer, 2) == [first, copy]


@pytest.mark.slow
def test_receipt_of_a_payment_that_comes_too_late_is_not_printed(printer: Printer) -> None:
    entry = won({"Caixa 1": printer.address})
    late = timezone.now() - draws_tasks.STALE - timedelta(seconds=1)
    draws_tasks.print_payment(payment_entry=entry.pk, asked=late.isoformat())
    assert printer.received == []
    assert not Slip.objects.exists()


@pytest.mark.slow
def test_printer_that_is_away_leaves_the_payment_as_it_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        address = f"127.0.0.1:{gone.getsockname()[1]}"
    entry = won({"Caixa 1": address})
    with caplog.at_level(logging.WARNING):
        draws_tasks.print_payment(payment_entry=entry.pk)
    assert f"payment of entry {entry.number} of sala: printer_unreachable" in caplog.text
    assert app.tasks["draws.print_payment"].acks_late is False
