"""An evening whose prizes are paid in coins: told everywhere, carried on, and proved (R6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import translation

from bingo.rules.refusal import Refusal
from bingo.slips.page import draw_page
from bingo.slips.printer import to_commands
from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.jackpots.queries import statement
from draws.models import Acta, Payment, Prize
from draws.prizes import services as prizes_services
from draws.receipts import queries as receipts_queries
from draws.receipts.documents import payment_slip
from draws.receipts.queries import settlement
from draws.receipts.settlement import settlement as settlement_pdf
from draws.record import journal_text
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role, Session, Shift
from halls.policy.services import set_policy
from tests.support.cash_step import coined, end, without_jackpot
from tests.support.escpos import printed
from tests.support.evening import Evening, authorise
from tests.support.formats import close, pay
from tests.support.planting_rows import plant
from tests.support.till_hall import shown
from tests.support.till_papers import text_of
from tests.support.till_prizes import plain

pytestmark = pytest.mark.django_db


@pytest.mark.rule(6)
@pytest.mark.slow
def test_what_is_left_over_goes_into_the_jackpot_and_is_told(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path
    evening = coined(5_00).reach("paying")
    won = dict(Prize.objects.values_list("combination", "amount"))
    assert won == {"line": 230_00, "bingo": 695_00, "jackpot": 50_025_00}
    entry = JournalEntry.objects.get(kind="window_closed")
    assert entry.data["carried"] == {"jackpot": 2_80 + 3_40}
    hall = Hall.objects.get()
    assert hall.jackpot_balance == 50_000_00 + 6_20 + 3_80
    account = statement(hall)
    assert account.whole
    assert account.sums[0]["left_over"] == 6_20
    with translation.override("en"):
        told = journal_text.describe_entry(entry)
    assert told.endswith("Left over of the prizes, into the jackpot: CVE\xa06.20")
    shown = board(evening.hall.code)[1]["carried"]
    assert "6,20" in shown
    end(evening)
    with translation.override("en"):
        assert "6,20" in text_of(bytes(Acta.objects.get().pdf))
        paper = settlement_pdf(settlement(Shift.objects.get()))
    assert "6,20" in text_of(paper)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(6)
@pytest.mark.slow
def test_without_a_jackpot_the_next_session_s_first_game_has_it(
    settings: Any, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = without_jackpot(7_00).reach("paying")  # line 240.00, bingo 720.00
    end(evening)
    evening.stage = 0
    evening.reach("closed")
    opened = JournalEntry.objects.filter(kind="session_opened").latest("number")
    assert opened.data["carried"] == 2_00 + 6_00
    closed = JournalEntry.objects.filter(kind="sale_closed").latest("number")
    assert (closed.data["prizes"]["fund"], closed.data["prizes"]["brought"]) == (968_00, 8_00)
    assert "8,00" in board(evening.hall.code)[1]["carried"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(57)
@pytest.mark.slow
def test_void_takes_back_what_was_left_over() -> None:
    evening = coined(5_00).reach("drawing")
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    chief = evening.who(Role.TABLE_CHIEF)
    claims_services.check(
        game=evening.game, combination="line", issue=evening.issue(), card=1, sound=True, **chief
    )
    claims_services.open_window(game=evening.game, **chief)
    claims_services.close_window(game=evening.game, **chief)
    assert Hall.objects.get().jackpot_balance == 50_028_80 + 2_80
    games_services.void(game=evening.game, cause="announcement_error", reason="outra bola", **chief)
    assert Hall.objects.get().jackpot_balance == 50_000_00
    assert board(evening.hall.code)[1]["carried"] is None
    assert statement(Hall.objects.get()).whole
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(6)
@pytest.mark.slow
def test_audit_finds_a_session_that_opened_without_what_was_left(
    settings: Any, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path
    end(without_jackpot(7_00).reach("paying"))
    evening = Evening(hall=Hall.objects.get())
    last = Session.objects.get()
    Session.objects.filter(pk=last.pk).update(state=last.state | {"carried": 9_00})
    assert [one.code for one in audit(Hall.objects.get())] == ["session_differs"]
    evening.reach("shift")
    codes = [one.code for one in audit(Hall.objects.get())]
    assert codes == ["carried_differs"]


@pytest.mark.rule(6)
def test_coin_that_makes_a_prize_nothing_is_refused_when_it_is_set() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, cash_step=38_80, **who)  # 19.4 % of a card of 200.00
    with pytest.raises(Refusal) as refused:
        set_policy(hall=evening.hall, cash_step=38_81, **who)
    assert refused.value == Refusal(
        "cash_step_over_prize", step=38_81, prize="line", amount=38_80, face=200_00
    )
    assert JournalEntry.objects.filter(kind="policy_set").count() == 1


COIN = 40_00


def taxed(**policy: Any) -> Evening:
    """Prizes in coins of 40.00, a fifth of each withheld: 240.00 for the line, 720.00 the bingo."""
    evening = Evening()
    untold = {"jackpot_rate": 0, "jackpot_base": 0}
    authorise(evening.hall, reference="2/2026", valid_from=evening.today, tax_rate=2000, **untold)
    set_policy(hall=evening.hall, cash_step=COIN, **policy, **evening.who(Role.HALL_MANAGER))
    return evening


@pytest.mark.rule(44)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_prize_tax_and_what_is_handed_over_are_told_everywhere(
    settings: Any, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = taxed(receipts="shown").reach("paying")
    rows = Prize.objects.order_by("combination").values_list(
        "combination", "amount", "tax", "left_over"
    )
    assert list(rows) == [("bingo", 720_00, 144_00, 16_00), ("line", 240_00, 48_00, 32_00)]
    entry = JournalEntry.objects.get(kind="window_closed")
    assert entry.data["carried"] == {"fund": 48_00}
    with translation.override("en"):
        told = journal_text.describe_entry(entry).replace("\xa0", " ")
    assert "line 1: CVE 240.00 (tax CVE 48.00 · to hand over CVE 160.00)" in told.replace(
        "Line", "line"
    )
    table = plain(evening.at("table").get("/table/").content.decode())
    assert "imposto 48,00" in table
    assert "a entregar 160,00" in table
    till = plain(shown(evening.at("till")))
    assert "960,00 CVE Sobra da moeda mais pequena: 48,00 CVE 192,00 CVE 720,00 CVE" in till

    pay(evening)
    payment = Payment.objects.get()
    assert payment.amount == 720_00
    assert payment.entry.data["left_over"] == 48_00
    with translation.override("en"):
        values = receipts_queries.get_payment_receipt(payment.entry, copy=False)
        assert (values.gross, values.tax, values.left_over, values.net) == (
            960_00, 192_00, 48_00, 720_00,
        )  # fmt: skip
    page = text_of(draw_page(payment_slip(values)))
    assert "Sobra da moeda mais pequena" in page
    assert "720,00" in page
    lines = [" ".join(line.text.split()) for line in printed(to_commands(payment_slip(values)))]
    assert any("48,00" in line and "Sobra" in line for line in lines)

    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    completed = JournalEntry.objects.get(kind="entry_completed").data
    assert (completed["paid"]["line"], completed["paid"]["bingo"]) == (208_00, 704_00)
    close(evening)
    acta = text_of(bytes(Acta.objects.get().pdf))
    for amount in ("240,00", "48,00", "160,00", "720,00", "144,00", "560,00"):
        assert amount in acta
    assert "Entregue" in acta
    settled = settlement(Shift.objects.get())
    assert settled.games[0].prizes == 720_00
    assert "48,00" in text_of(settlement_pdf(settled))
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(61)
@pytest.mark.slow
def test_audit_finds_what_was_left_over_changed(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path
    evening = taxed().reach("paying")
    line = Prize.objects.get(combination="line")
    plant(Prize.objects.filter(pk=line.pk), left_over=0)
    assert [one.code for one in audit(Hall.objects.get())] == ["prize_differs"]
    plant(Prize.objects.filter(pk=line.pk), left_over=32_00)
    assert audit(Hall.objects.get()) == []
    # Dated back to where the tax swallowed the coins: 80.00 of tax, nothing over.
    plant(Prize.objects.filter(pk=line.pk), tax=80_00, left_over=0)
    assert [one.code for one in audit(Hall.objects.get())] == ["prize_differs"]
    assert evening.game.prizes.count() == 2


@pytest.mark.rule(6)
def test_payment_given_twice_with_one_key_hands_over_once() -> None:
    evening = taxed().reach("paying")
    who = evening.who(Role.CASHIER) | {"key": uuid4()}
    for _again in range(2):
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=1, shift=evening.shift, **who
        )
    assert [one.amount for one in Payment.objects.all()] == [720_00]
    with pytest.raises(Refusal, match="already_paid"):
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
