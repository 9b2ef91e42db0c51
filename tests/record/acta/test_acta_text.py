"""What an acta counts once, parts by half, and tells beside a void or a complaint (R15, R61)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import translation

from draws.record.acta import document
from draws.record.acta import values as acta_values
from draws.record.acta.values import NoteValues, SellerValues, cards_sold
from tests.support import acta_values as support_acta_values
from tests.support import whole_evening
from tests.support.acta_texts import text
from tests.support.acta_values import OPENED

COMPLAINT = NoteValues(
    "complaint", "reclamação 1 · bola n.º 7: Não ouvida — Não atendida", OPENED + timedelta(hours=1),
    "Chefe de mesa", 2, said="Não ouvida", decision="Não atendida: som verificado", number=1, ball=7,
    decided_at=OPENED + timedelta(hours=2), decided_by="Chefe de sala", witness="Locutora",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.mark.rule(15)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_double_cards_are_counted_once_as_cards_sold() -> None:
    first, second = support_acta_values.double(1)
    single = support_acta_values.game(3)
    games = (first, second, single)
    assert cards_sold(games) == first.cards_sold + single.cards_sold
    printed = text(document.draw(replace(support_acta_values.acta(0), games=games)))
    assert "Total 840 2 520,00" in printed
    assert "Double cards are counted once, with the first of their two games." in printed
    assert (printed.count("Cards in play"), printed.count("Cards sold R61 d")) == (1, 3)
    alone = text(document.draw(replace(support_acta_values.acta(0), games=(single,))))
    assert "Double cards" not in alone


@pytest.mark.rule(15)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_what_sellers_took_for_a_half_is_named_so_and_adds_up() -> None:
    first, second = support_acta_values.double(1)
    sold = SellerValues("Caixa 1", "Vendedora", 420, first.gross)
    games = (replace(first, sellers=(sold,)), second)
    printed = text(document.draw(replace(support_acta_values.acta(0), games=games)))
    assert "Sold by Till Cards Amount of this half Vendedora Caixa 1 420 840,00" in printed
    plain = (replace(support_acta_values.game(1), sellers=(sold,)),)
    assert "Amount of this half" not in text(
        document.draw(replace(support_acta_values.acta(0), games=plain))
    )


@pytest.mark.slow
@pytest.mark.rule(10)
@pytest.mark.rule(61)
def test_accrual_that_a_void_took_back_stands_beside_it() -> None:
    void = replace(
        support_acta_values.game(1, voided=support_acta_values.VOID), jackpot_reversed=2_016
    )
    printed = text(
        document.draw(
            replace(support_acta_values.acta(0), games=(void, support_acta_values.game(2)))
        )
    )
    assert (
        "Jackpot accrual taken back Tax withheld R61 g 20:08:00 2,00 840,00 162,96 0,00 −20,16"
        in printed
    )
    assert f"1 {support_acta_values.VOID} 840,00 −20,16" in printed
    assert (
        acta_values.data(replace(support_acta_values.acta(0), games=(void,)))["games"][0][
            "jackpot_reversed"
        ]
        == 2_016
    )


@pytest.mark.rule(61)
def test_complaint_has_its_decision_who_decided_and_before_whom_in_columns() -> None:
    printed = text(document.draw(replace(support_acta_values.acta(2), notes=(COMPLAINT,))))
    assert "At Game Complaint Decision Decided by Second person" in printed
    assert (
        "21:00:00 2 No. 1, ball no. 7: Não ouvida written by Chefe de mesa "
        "Não atendida: som verificado Chefe de sala 22:00:00 Locutora" in printed
    )


@pytest.mark.slow
@pytest.mark.rule(61)
def test_complaint_that_is_open_has_nobody_who_decided_it() -> None:
    still = replace(
        COMPLAINT,
        decision="open when the session closed",
        decided_at=None,
        decided_by="",
        witness="",
    )
    printed = text(document.draw(replace(support_acta_values.acta(2), notes=(still,))))
    assert "open when the session closed – –" in printed


@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_prints_what_counted_as_a_line_in_each_game() -> None:
    games = whole_evening.acta(4).games
    rows = replace(games[0], counts=("rows",))
    all_ways = replace(games[2], format="80", counts=("rows", "columns", "diagonals"))
    columns = replace(games[3], format="30", counts=("columns",))
    printed = text(
        document.draw(replace(support_acta_values.acta(0), games=(rows, all_ways, columns)))
    )
    assert "Bingo 90 · line: rows" in printed
    assert "Bingo 80 Check" in printed
    assert "Counted as a line: rows, columns, diagonals" in printed
    assert "Bingo 30 · line: columns" in printed


@pytest.mark.rule(61)
@pytest.mark.slow
def test_no_amount_below_nought_has_a_hyphen_for_its_sign() -> None:
    values = whole_evening.acta(3)
    tills = tuple(replace(till, moved=-5_000, expected=-100) for till in values.tills)
    printed = text(document.draw(replace(values, tills=tills)))
    assert "−50,00" in printed
    assert not [word for word in printed.split() if word.startswith("-")]
