"""The papers of a till: shown to those they concern, and opened by another program."""

import subprocess

import pytest
from django.test import Client

from draws.models import Sale
from halls.models import JournalEntry, Role, Shift
from tests.draws.views.evening import Evening, browser_of
from tests.draws.views.till_hall import done, other_cashier

pytestmark = pytest.mark.django_db


def text_of(pdf: bytes) -> str:
    """Give the words of a PDF as poppler reads them."""
    read = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return read.stdout.decode().replace("\xa0", " ")


def ended(evening: Evening) -> Shift:
    """Close the first till."""
    done(evening.at("till"), "close", counted="51200", comment="")
    return Shift.objects.get()


@pytest.mark.rule(39)
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
