"""The papers of a till: shown to those they concern, and opened by another program."""

import re
from typing import Any

import pytest
from django.test import Client

from draws.models import Payment, Sale
from halls.models import JournalEntry, Role, Shift, Slip
from tests.support.evening import Evening, browser_of
from tests.support.till_hall import done, other_cashier, policy, refused, shown
from tests.support.till_papers import text_of

pytestmark = pytest.mark.django_db

COPY = re.compile("COPY|CÓPIA")


def ended(evening: Evening) -> Shift:
    """Close the first till."""
    done(evening.at("till"), "close", counted="51200", comment="")
    return Shift.objects.get()


@pytest.mark.rule(39)
@pytest.mark.slow
def test_settlement_is_a_pdf_for_its_cashier_manager_and_inspector() -> None:
    evening = Evening().reach("sold")
    shift = ended(evening)
    for role in (Role.CASHIER, Role.HALL_MANAGER, Role.INSPECTOR):
        answer = browser_of(evening.person(role)).get(f"/till/settlement/{shift.pk}.pdf")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), role
        assert "no-store" in answer["Cache-Control"]
        assert "51 200,00" in text_of(answer.content)


def test_settlement_of_an_open_shift_is_refused_in_words() -> None:
    evening = Evening().reach("sold")
    answer = evening.at("till").get(f"/till/settlement/{evening.shift.pk}.pdf")
    assert answer.status_code == 409
    assert "shift_still_open" in answer.content.decode()


@pytest.mark.slow
def test_papers_of_others_are_not_there() -> None:
    evening, other = Evening().reach("sold"), Evening("vizinha")
    shift, entry = ended(evening), Sale.objects.get().entry
    paths = (f"/till/settlement/{shift.pk}.pdf", f"/till/receipt/{entry.number}.pdf")
    for path in paths:
        assert browser_of(other_cashier(evening)).get(path).status_code == 404, path
        assert other.at("manager").get(path).status_code == 404, path
        for role in (Role.SELLER, Role.CALLER, Role.TABLE_CHIEF):
            assert browser_of(evening.person(role)).get(path).status_code == 403, (role, path)
        assert Client().get(path).status_code == 302
        assert evening.at("till").post(path).status_code == 405
    assert evening.at("till").get("/till/settlement/999999999.pdf").status_code == 404
    assert evening.at("till").get(f"/till/receipt/{10**15}.pdf").status_code == 404


@pytest.mark.slow
@pytest.mark.rule(41)
def test_receipt_names_cards_total_and_change() -> None:
    evening = Evening().reach("sold")
    number = Sale.objects.get().entry.number
    plain = text_of(evening.at("till").get(f"/till/receipt/{number}.pdf").content)
    assert "1 200,00" in plain
    assert "800,00" not in plain
    given = evening.at("till").get(f"/till/receipt/{number}.pdf?given=200000")
    assert "800,00" in text_of(given.content)


@pytest.mark.parametrize("given", ["-1", "x", "1,5", "٣", "9" * 20, "1"])
def test_receipt_refuses_cash_that_cannot_be(given: str) -> None:
    evening = Evening().reach("sold")
    number = Sale.objects.get().entry.number
    answer = evening.at("till").get(f"/till/receipt/{number}.pdf", {"given": given})
    assert answer.status_code == 409


def test_entry_that_is_no_sale_has_no_receipt() -> None:
    evening = Evening().reach("sold")
    opened = JournalEntry.objects.get(kind="shift_opened").number
    assert evening.at("till").get(f"/till/receipt/{opened}.pdf").status_code == 404


def paid(evening: Evening) -> str:
    """Pay the prize of card 1, and return the address of its receipt."""
    evening.reach("paying")
    done(evening.at("till"), "pay", issue=evening.issue().pk, card=1)
    return f"/till/payment/{Payment.objects.latest('pk').entry.number}.pdf"


@pytest.mark.rule(50)
@pytest.mark.slow
def test_receipt_of_a_payment_is_given_once_and_is_a_copy_after_that() -> None:
    evening = Evening()
    path = paid(evening)
    client = evening.at("till")
    # Whoever only looks takes the receipt from nobody.
    for role in (Role.HALL_MANAGER, Role.INSPECTOR, Role.CASHIER):
        read = browser_of(evening.person(role)).get(path)
        assert (read.status_code, read["Content-Type"]) == (200, "application/pdf")
        assert COPY.search(text_of(read.content)), role
    manager: Any = evening.at("manager").post(path)
    assert COPY.search(text_of(manager.content))
    assert not Slip.objects.exists()

    first: Any = client.post(path)
    assert (first.status_code, COPY.search(text_of(first.content))) == (200, None)
    assert "no-store" in first["Cache-Control"]
    for _time in range(2):
        again: Any = client.post(path)
        assert COPY.search(text_of(again.content))
    assert Slip.objects.count() == 1


@pytest.mark.slow
def test_receipt_of_a_payment_of_others_is_not_there() -> None:
    evening, other = Evening(), Evening("vizinha")
    path = paid(evening)
    sold = Sale.objects.get().entry.number
    for client in (browser_of(other_cashier(evening)), other.at("manager")):
        assert client.get(path).status_code == 404
        assert client.post(path).status_code == 404
    for role in (Role.SELLER, Role.CALLER, Role.TABLE_CHIEF):
        assert browser_of(evening.person(role)).post(path).status_code == 403, role
    assert Client().post(path).status_code == 302
    assert evening.at("till").get(f"/till/payment/{sold}.pdf").status_code == 404
    assert evening.at("till").get(f"/till/payment/{10**15}.pdf").status_code == 404
    assert evening.at("till").put(path).status_code == 405
    assert not Slip.objects.exists()


@pytest.mark.slow
def test_receipt_of_a_payment_is_offered_only_where_the_hall_gives_any() -> None:
    evening = Evening()
    path = paid(evening)
    assert path not in shown(evening.at("till"))
    other = Evening("vizinha")
    policy(other, receipts="shown")
    path = paid(other)
    assert path in shown(other.at("till"))


@pytest.mark.slow
def test_receipt_is_printed_again_only_at_the_till_that_paid_and_has_a_printer() -> None:
    evening = Evening()
    policy(evening, receipts="printed", printers={"Caixa 1": "10.0.0.2:9100"})
    number = paid(evening).split("/")[-1].removesuffix(".pdf")
    client = evening.at("till")
    page = shown(client)
    assert "do/print-payment/" in page
    # Another issue of the game may have a card of that number.
    assert f"{evening.issue()} · 1" in page.split("Pago aqui")[1].split("</table>")[0]
    done(client, "print-payment", payment=number)
    refused(client, "print-payment", "no_payment", payment="999999")
    refused(client, "print-payment", "no_payment", payment=str(Sale.objects.get().entry.number))
    refused(client, "print-payment", "bad_input", payment="x")

    bare = Evening("vizinha")
    policy(bare, receipts="printed")
    number = paid(bare).split("/")[-1].removesuffix(".pdf")
    assert "do/print-payment/" not in shown(bare.at("till"))
    refused(bare.at("till"), "print-payment", "no_receipt_printer", payment=number)
