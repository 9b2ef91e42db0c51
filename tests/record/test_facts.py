"""What each journal entry says to an inspector."""

from typing import Any

import pytest
from django.utils import timezone, translation

from draws import trade_words
from draws.balls import draw
from draws.cards import prints, stock
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.record import journal_text
from halls import sessions, tills
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening, authorise, order
from tests.support.service_commands.cards import (
    accept,
    count,
    print_cards,
    recall,
    reinstate,
    save_pattern,
    send,
    sent_by_the_neighbour,
    withdraw,
)

UNTOLD = {
    "session_closed",
    "game_finished",
    "password_changed",
}  # their name says it all


def told(kind: str) -> str:
    """Tell the last entry of a kind, in English."""
    with translation.override("en"):
        return journal_text.describe_entry(
            JournalEntry.objects.filter(kind=kind).latest("number")
        ).replace("\xa0", " ")


def test_every_kind_with_something_to_tell_has_a_telling() -> None:
    assert set(trade_words.KINDS) - set(journal_text.JOURNAL_TEXT_TELLERS) == UNTOLD
    assert set(journal_text.JOURNAL_TEXT_TELLERS) - set(trade_words.KINDS) == set()


@pytest.mark.slow
@pytest.mark.django_db
def test_won_game_is_told_from_its_opening_to_its_payment() -> None:
    evening = Evening().reach("paying")
    who = evening.who(Role.CASHIER)
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift, **who
    )
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    order(evening.at("inspector"), "till", "sell")
    assert told("session_opened").startswith(
        "1/2026 · Portaria n.º 1/2017, de 9 de janeiro · planned end: "
    )
    assert told("series_published").startswith("A (90) · SHA-256 ")
    assert told("issue_received").startswith("A sala-2 · ")
    assert told("shift_opened").startswith("Caixa 1 · sala-cashier-1 · ")
    assert told("game_opened").startswith("A sala-1 · ")
    assert told("sale_announced").startswith("A sala-1 · ")
    assert told("cards_sold").startswith("1–6 · ")
    assert told("sale_closed").startswith("6 cards · Line ")
    assert told("draw_announced").startswith("Line ")
    last = evening.numbers()[-1]
    assert told("ball_announced") == f"{last}, ball 15 of the game · drawn by hand"
    assert told("claim_called") == "Bingo"
    assert told("claim_checked") == "Bingo · 1 · Right"
    assert told("window_opened") == "Line · Bingo"
    assert told("window_closed").startswith("Line 1: ")
    assert told("prize_paid").startswith("1 · ")
    assert " · Line " in told("entry_completed")
    assert told("command_refused") == "Your role does not allow this. Ask: cashier."
    for kind in UNTOLD & set(JournalEntry.objects.values_list("kind", flat=True)):
        assert told(kind) == ""


def test_refused_command_is_told_with_amounts_in_the_currency_of_its_hall() -> None:
    refused = {"code": "bad_face", "values": {"face": 1500, "faces": [500, 1000]}}
    entry = JournalEntry(hall=Hall(currency="XOF"), kind="command_refused", data=refused)
    with translation.override("en"):
        assert journal_text.describe_entry(entry).startswith("No card costs 1,500")


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_every_entry_of_a_voided_game_is_told_in_each_language(language: str) -> None:
    evening = Evening().reach("drawing")
    draw.recall_ball(game=evening.game, number=evening.numbers()[-1], **evening.who(Role.CALLER))
    by = evening.who(Role.TABLE_CHIEF)
    games_services.void(
        game=evening.game, cause="other", reason="Falha de luz",
        witness=evening.person(Role.HALL_MANAGER), **by,
    )  # fmt: skip
    cashier = evening.who(Role.CASHIER)
    for sale in evening.game.sales.all():
        prizes_services.refund(
            game=sale.game, issue=sale.issue, first=sale.first, last=sale.last,
            shift=evening.shift, **cashier,
        )  # fmt: skip
    sessions.record_note(
        session=evening.session, category="complaint", text="Som", decision="", **by
    )
    manager = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=-5, reason="Cofre", **manager)
    tills.close_shift(shift=evening.shift, counted=1, comment="Falta", **cashier)
    with translation.override(language):
        for entry in JournalEntry.objects.select_related("hall").order_by("number"):
            assert bool(journal_text.describe_entry(entry)) == (entry.kind not in UNTOLD), (
                entry.kind
            )
    assert told("game_voided") == "Falha de luz · before sala-hall_manager-1"
    assert told("shift_closed").endswith("· Falta")
    assert timezone.is_aware(entry.at)


@pytest.mark.django_db
def test_kind_from_a_later_version_is_told_as_nothing() -> None:
    hall = Evening().hall
    assert journal_text.describe_entry(JournalEntry(hall=hall, kind="nothing_known", data={})) == ""


@pytest.mark.slow
@pytest.mark.django_db
def test_every_movement_of_the_stock_is_told() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    authorise(evening.hall, reference="2/2026", valid_until=evening.today, **who)
    sent_by_the_neighbour(evening)
    issue = accept(evening, who, counted=89)
    stock.count(issue=issue, counted=89, comment="Falta um", **who)
    stock.retire(issue=issue, first=7, last=7, reason="Falta", **who)
    stock.count(issue=issue, counted=89, **who)
    for act in (save_pattern, withdraw, reinstate, count, send, recall):
        act(evening, who)
    job = print_cards(evening, who)
    prints.cancel(job=job, **who)
    day = evening.today
    assert told("authorisation_recorded").startswith(
        f"2/2026 · {day.replace(month=1, day=1)} – {day} · 90, 80, 75, 30 · "
    )
    assert told("authorisation_recorded").endswith(" · L 60")
    assert told("issue_received").startswith("A norte-2 · ")
    assert told("issue_received").endswith(" · from norte · 89 cards counted, difference −1")
    assert told("issue_counted") == "A sala-1 · 90 cards counted · Faltam"
    assert told("cards_retired") == "A norte-2 · 7 · Falta"
    assert told("pattern_saved") == "Cruz"
    assert told("issue_sent") == "A sala-1 → norte · 90 cards · Falta lá"
    assert told("print_ordered") == f"print {job.pk} · 1–12 · a4"
    assert told("print_cancelled") == f"print {job.pk}"


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("print_finished", {"job": 3, "pages": 2, "digest": "ab"}, "print 3 · 2 pages · SHA-256 ab"),
        (
            "print_failed",
            {"job": 3, "fault": "print_disk_full"},
            "print 3 · The disk is full: make room, then order the print again.",
        ),
        (
            "issue_counted",
            {
                "letter": "A", "identification": "1", "counted": 91, "difference": 1,
                "comment": "Um a mais",
            },
            "A 1 · 91 cards counted, difference +1 · Um a mais",
        ),
        ("issue_withdrawn", {"letter": "A", "identification": "1", "reason": "x"}, "A 1 · x"),
        ("issue_reinstated", {"letter": "A", "identification": "1", "reason": "x"}, "A 1 · x"),
        ("transfer_recalled", {"letter": "A", "identification": "1", "reason": "x"}, "A 1 · x"),
        ("issue_received", {"letter": "A", "identification": "1", "face": 5}, "A 1 · "),
    ],
)  # fmt: skip
def test_entry_about_cards_is_told_in_a_line(kind: str, data: dict[str, Any], said: str) -> None:
    entry = JournalEntry(hall=Hall(currency="CVE"), kind=kind, data=data)
    with translation.override("en"):
        assert journal_text.describe_entry(entry).startswith(said)
