"""The receipt of a payment says what was won, withheld and paid, on a page and on till paper."""

import subprocess
from collections.abc import Callable

import pytest

from bingo.slips.page import draw_page
from bingo.slips.printer import COLUMNS, to_commands
from draws.receipts.documents import PaidPrize, PaymentReceipt, payment_slip
from tests.support.escpos import printed
from tests.support.payment import payment

Read = Callable[[PaymentReceipt], str]


def page(values: PaymentReceipt) -> str:
    """Return the page's text as Poppler reads it, one space between words."""
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(
        command, input=draw_page(payment_slip(values)), capture_output=True, check=True
    )
    return " ".join(done.stdout.decode().replace("\N{NO-BREAK SPACE}", " ").split())


def paper(values: PaymentReceipt) -> str:
    """Return the slip's text, one space between words."""
    return " ".join(
        " ".join(line.text for line in printed(to_commands(payment_slip(values)))).split()
    )


@pytest.mark.rule(44)
@pytest.mark.rule(50)
@pytest.mark.parametrize("read", [page, paper])
def test_receipt_says_what_was_won_withheld_and_paid(read: Read) -> None:
    told = read(payment())
    for said in (
        "Sala de Bingo",
        "Receipt of a payment",
        "Session 412, game 7",
        "21:14:03",
        "Caixa 1 · Operador de caixa · before Chefe de mesa",
        "Issue H 000431 64",
        "Line 900.00",
        "Bingo 2,700.00",
        "Before tax 3,600.00",
        "Paid €3,430.00",
        "Tax: 10% of what a prize has above 1,000.00.",
        "Paid against the card, which the hall keeps.",
        "Journal entry 843 · 9f3a 12cd 9f3a",
    ):
        assert said in told, said
    assert "COPY" not in told


@pytest.mark.parametrize("read", [page, paper])
def test_copy_says_so(read: Read) -> None:
    assert "COPY · receipt of a payment" in read(payment(copy=True))


@pytest.mark.parametrize("read", [page, paper])
def test_receipt_without_tax_says_that_none_is_withheld(read: Read) -> None:
    told = read(payment(tax=0, rate=0, threshold=0, net=3_600_00, witness=""))
    assert "No tax is withheld from prizes." in told
    assert "Before tax" not in told
    assert "before" not in told
    assert "Tax: 7.50% of each prize." in read(payment(rate=750, threshold=0))


@pytest.mark.rule(45)
@pytest.mark.parametrize("read", [page, paper])
def test_prize_of_the_first_game_of_a_double_card_names_it(read: Read) -> None:
    prizes = (PaidPrize(6, "line", 900_00, 0), PaidPrize(7, "line", 900_00, 0))
    told = read(payment(prizes=prizes))
    assert "Line, game 6 900.00" in told
    assert "Line 900.00" in told


@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_slip_fits_its_paper_in_every_language(language: str) -> None:
    values = payment(language=language, hall="Bingo " + "Ñ" * 60, copy=True)
    assert all(
        len(line.text) * line.size <= COLUMNS for line in printed(to_commands(payment_slip(values)))
    )
    assert draw_page(payment_slip(values)) == draw_page(payment_slip(values))
