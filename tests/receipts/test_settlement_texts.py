"""A settlement says all that a cashier hands over, adds up, and carries the lines to sign."""

import re
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from draws.receipts.settlement import AsidePart, SettledMovement, Settlement, TakenPrize, settlement
from tests.support import printed_cards, settlements
from tests.support.settlements import handover, quiet


def sheets(values: Settlement) -> list[str]:
    """Return the text of each page as Poppler reads it, one space between words."""
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(command, input=settlement(values), capture_output=True, check=True)
    pages = done.stdout.decode().replace("\N{NO-BREAK SPACE}", " ").split("\f")
    return [" ".join(page.split()) for page in pages if page.strip()]


def text(values: Settlement) -> str:
    """Return the text of all pages."""
    return " ".join(sheets(values))


@pytest.fixture(scope="module")
def printed() -> str:
    return text(handover())


@pytest.mark.rule(39)
@pytest.mark.parametrize(
    "said",
    [
        "Sala de Bingo",
        "Autorização n.º 1/2026",
        "Portaria n.º 1/2017",
        "Settlement of till Caixa 1",
        "Shift 2 of session 412",
        "20 November 2026, 20:00:00",
        "21 November 2026, 02:03:00",
        "UTC−01:00",
        "Operador de caixa",
        "Amounts in CVE.",
        "Second person at the count",
        settlements.COMMENT,
        "entry 843 of the hall's journal",
    ],
)
def test_settlement_says_whose_shift_it_was_and_how_it_ended(printed: str, said: str) -> None:
    assert said in printed


@pytest.mark.parametrize(
    "row",
    [
        "1 419 83,800.00 60,000.00 0.00 23,800.00",
        "4 416 83,200.00 0.00 83,200.00 0.00",
        "Total 3,324 664,800.00 420,000.00 83,200.00 161,600.00",
    ],
)
def test_settlement_adds_up_its_games(printed: str, row: str) -> None:
    assert row in printed


def test_settlement_shows_a_game_that_cost_more_than_it_brought() -> None:
    dear = replace(settlements.games(1)[0], prizes=100_000_00)
    assert "1 419 83,800.00 100,000.00 0.00 −16,200.00" in text(handover(games=(dear,)))


def test_settlement_shows_cash_brought_and_taken_with_reason_and_persons(printed: str) -> None:
    assert "21:00:00 Trocos Chefe de sala 10,000.00" in printed
    assert re.search(r"23:00:00 Excesso .* Chefe de sala Chefe de mesa 200,000\.00", printed)
    assert "Total 10,000.00 200,000.00" in printed


@pytest.mark.rule(39)
def test_settlement_of_the_night_the_clock_goes_back_tells_its_hours_apart() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    half_past_midnight = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)
    hours = [half_past_midnight + timedelta(hours=after) for after in (-1, 0, 2, 3)]
    moved = tuple(
        SettledMovement(at.astimezone(madrid), 100_00, "Cambio", "Jefa", "") for at in hours
    )
    told = text(
        handover(
            movements=moved,
            opened_at=datetime(2026, 10, 24, 20, 0, tzinfo=madrid),
            closed_at=datetime(2026, 10, 25, 4, 0, tzinfo=madrid),
        )
    )
    assert "UTC+02:00 → UTC+01:00" in told
    for hour in (
        "24 October 2026, 20:00:00 +02:00", "25 October 2026, 04:00:00 +01:00",
        "23:30:00 +02:00 Cambio", "25/10 00:30:00 +02:00 Cambio",
        "25/10 02:30:00 +02:00 Cambio", "25/10 02:30:00 +01:00 Cambio",
    ):  # fmt: skip
        assert hour in told
    assert "24/10" not in told


def test_settlement_writes_its_hours_after_midnight_with_their_date() -> None:
    [brought, taken] = handover().movements
    told = text(
        handover(movements=(brought, replace(taken, at=brought.at + timedelta(hours=4)))),
    )
    assert "21:00:00 Trocos" in told
    assert "21/11 01:00:00 Excesso" in told
    assert "−01:00 Trocos" not in told


def test_settlement_adds_the_drawer_up_to_what_is_expected(printed: str) -> None:
    lines = {
        "Float": "50,000.00",
        "Sales": "664,800.00",
        "Prizes paid": "−420,000.00",
        "Refunds": "−83,200.00",
        "Cash brought": "10,000.00",
        "Cash taken": "−200,000.00",
        "Sum": "21,600.00",
        "Expected by the journal": "21,600.00",
        "Counted": "21,400.00",
        "Difference": "−200.00",
    }
    for name, amount in lines.items():
        assert f"{name} {amount}" in printed
    added = [amounts(lines[name]) for name in list(lines)[:6]]
    assert sum(added) == amounts(lines["Sum"]) == handover().expected


def amounts(written: str) -> int:
    """Return the minor units of an amount as it is written in English."""
    return int(re.sub(r"[,.]", "", written).replace("−", "-"))


def test_settlement_shows_a_journal_that_expects_something_else() -> None:
    told = text(handover(expected=21_500_00))
    assert "Sum 21,600.00" in told
    assert "Expected by the journal 21,500.00" in told


@pytest.mark.rule(44)
def test_settlement_hands_over_the_prizes_left_to_pay(printed: str) -> None:
    assert "8 H 000431 64 24,444.00" in printed
    assert "8 H 000431 203 24,445.00" in printed
    assert "Total 48,889.00" in printed


def test_settlement_of_a_quiet_shift_says_so() -> None:
    told = text(quiet())
    assert "No game moved any cash." in told
    assert "No cash was brought or taken." in told
    assert "No prize was left unpaid." in told
    assert "Comment" not in told
    assert "Sum 50,000.00" in told
    assert "Difference 0.00" in told
    assert len(sheets(quiet())) == 1


def test_settlement_has_lines_for_cashier_and_manager_to_sign(printed: str) -> None:
    assert "6 Signatures Cashier · Operador de caixa Hall manager" in printed


def test_settlement_shows_the_whole_digest_of_the_count() -> None:
    assert settlements.DIGEST in "".join(text(handover()).split())


@pytest.mark.parametrize("count", [0, 1, 8, 14, 20, 26, 60])
def test_settlement_numbers_its_pages_and_signs_below_matter(count: int) -> None:
    pages = sheets(handover(count))
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert len(page) > 250
    assert "Journal" in pages[-1]
    assert "Signatures" in pages[-1]


def test_settlement_is_in_the_language_of_the_hall() -> None:
    assert "Página 1 de" in text(handover(language="pt"))
    assert "Importes en EUR" in text(handover(language="es", currency="EUR"))


@pytest.mark.slow
def test_settlement_prints_words_of_any_length_and_sign() -> None:
    long = replace(handover().movements[0], reason="<b>&amp; troco</b> " * 500, by="y" * 300)
    told = text(handover(movements=(long,), comment="<i>falta</i> " * 900, till="&<Caixa>"))
    assert told.count("troco</b>") == 500
    assert told.count("falta</i>") == 900
    assert "Settlement of till &<Caixa>" in told


def test_settlement_is_the_same_bytes_for_the_same_values_only() -> None:
    assert settlement(handover()) == settlement(handover())
    assert settlement(handover()) != settlement(handover(entry=844))


@pytest.mark.slow
def test_settlement_stands_within_its_margins() -> None:
    for values in (handover(), handover(count=40), quiet()):
        page = printed_cards.picture(settlement(values), dpi=72)
        box = page.point(lambda grey: 255 * (grey < 200)).getbbox()
        assert box
        left, top, right, bottom = box
        assert (page.width, page.height) == (596, 842)
        assert min(left, top, page.width - right) > 40
        assert page.height - bottom > 20


def test_settlement_embeds_the_typeface_it_is_set_in(tmp_path: Path) -> None:
    file = tmp_path / "settlement.pdf"
    file.write_bytes(settlement(handover()))
    done = subprocess.run(["pdffonts", str(file)], capture_output=True, text=True, check=True)
    listed = done.stdout.splitlines()[2:]
    assert listed
    assert all("SourceSansPro" in line and " yes yes " in line for line in listed)


@pytest.mark.rule(44)
def test_settlement_tells_what_earlier_shifts_left_and_whether_it_was_paid() -> None:
    took = (
        TakenPrize(7, "H 000430", 12, 24_444_00, 1, "Segundo operador", paid=True),
        TakenPrize(7, "H 000430", 13, 11_111_00, 1, "Segundo operador", paid=False),
    )
    told = text(handover(taken=took))
    assert "Taken over unpaid from earlier shifts" in told
    assert "7 H 000430 12 Segundo operador, shift 1 yes 24,444.00" in told
    assert "7 H 000430 13 Segundo operador, shift 1 no 11,111.00" in told
    assert "Taken over" not in text(handover())


@pytest.mark.rule(60)
def test_settlement_says_what_was_set_aside_and_paid_and_sums_what_is_still_owed() -> None:
    whole = AsidePart(7, "Prize", "H 000430", "12", 500_00, "The player has left", paid=500_00)
    part = AsidePart(8, "Price of the card", "H 000430", "1–4", 80_00, "Lost", 20_00, 40_00)
    told = text(handover(aside=(whole, part)))
    assert "500.00 · The player has left · Paid: 500.00" in told
    assert "80.00 · Lost · Paid: 20.00 · Period over: 40.00" in told
    assert "Together 20.00 stay with the cash of the hall" in told
    assert "Together" not in text(handover(aside=(whole,)))
