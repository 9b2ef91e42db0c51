"""A settlement tells what the journal and the rows have of one shift, and adds up to the count."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Card, Prize, UnclaimedItem
from draws.receipts.queries import settlement
from draws.receipts.settlement import SettledGame, UnpaidPrize, account
from halls import tills
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import CashMovement, JournalEntry, Person, Role, Shift
from tests.support.departing_players import complete, not_fetched, pay, quiet, refunds_aside
from tests.support.departing_players import voided as voided_game
from tests.support.evening import FACE, FLOAT, STAGES, Evening, spanish
from tests.support.service_commands.games import double_cards, voided
from tests.support.service_commands.prizes import paid, refund

pytestmark = pytest.mark.django_db

CASHIER, CHIEF, MANAGER = Role.CASHIER, Role.TABLE_CHIEF, Role.HALL_MANAGER


def counted(evening: Evening, *, over: int = 0, by: Role = CASHIER) -> Shift:
    """Close the first cashier's shift with this much more cash than expected."""
    return shift_counted(evening.shift, over=over, by=evening.person(by))


def shift_counted(shift: Shift, *, by: Person, over: int = 0) -> Shift:
    """Close a shift with this much more cash than expected."""
    expected = sum(CashMovement.objects.filter(shift=shift).values_list("amount", flat=True))
    tills.close_shift(
        shift=shift, counted=expected + over, comment="Troco" if over else "", by=by,
        at=timezone.now(),
    )  # fmt: skip
    return Shift.objects.select_related("session__hall", "till", "cashier").get(pk=shift.pk)


def move(evening: Evening, amount: int, reason: str) -> None:
    tills.move_cash(shift=evening.shift, amount=amount, reason=reason, **evening.who(MANAGER))


@pytest.mark.slow
@pytest.mark.rule(39)
def test_settlement_is_read_from_the_rows_and_the_entry_that_closed_the_shift() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    shift = counted(evening)
    told = settlement(shift)
    entry = JournalEntry.objects.get(kind="shift_closed")
    zone = ZoneInfo("Atlantic/Cape_Verde")
    prize = sum(prize.amount - prize.tax for prize in Prize.objects.all())
    assert prize > 0
    assert (told.hall, told.licence, told.till, told.cashier, told.closed_by) == (
        "Sala sala", "1/2026", "Caixa 1", "cashier 1", "cashier 1",
    )  # fmt: skip
    assert (told.session, told.shift) == (evening.session.number, 1)
    assert (told.opened_at, told.closed_at) == (
        shift.opened_at.astimezone(zone),
        entry.at.astimezone(zone),
    )
    assert told.opened_at.utcoffset() == told.closed_at.utcoffset()
    assert told.opening_float == FLOAT
    assert told.games == (SettledGame(1, 6, 6 * FACE, prize, 0),)
    assert (told.movements, told.unpaid, told.witness, told.comment) == ((), (), "", "")
    assert told.expected == told.counted == FLOAT + 6 * FACE - prize
    assert told.difference == 0
    assert (told.entry, told.digest) == (entry.number, entry.digest)


@pytest.mark.slow
@pytest.mark.rule(57)
def test_settlement_tells_refunds_of_a_void_game_and_the_next_game_apart() -> None:
    evening = Evening().reach("sold")
    voided(evening)
    refund(evening, evening.who(CASHIER))
    refund(evening, evening.who(CASHIER), first=7)
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    games_services.open_game(session=evening.session, issue=evening.issue(), **evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    evening._sold()
    assert settlement(counted(evening)).games == (
        SettledGame(1, 9, 9 * FACE, 0, 9 * FACE),
        SettledGame(2, 6, 6 * FACE, 0, 0),
    )


def test_settlement_lists_cash_brought_and_taken_with_reason_and_person() -> None:
    evening = Evening().reach("shift")
    move(evening, 100_00, "Trocos")
    move(evening, -300_00, "Para o cofre")
    told = settlement(counted(evening, over=-5_00))
    brought = [(moved.amount, moved.reason, moved.by, moved.witness) for moved in told.movements]
    assert brought == [
        (100_00, "Trocos", "hall_manager 1", ""),
        (-300_00, "Para o cofre", "hall_manager 1", ""),
    ]
    entries = JournalEntry.objects.filter(kind="cash_moved").order_by("number")
    assert [moved.at for moved in told.movements] == [entry.at for entry in entries]
    assert (told.expected, told.difference, told.comment) == (FLOAT - 200_00, -5_00, "Troco")


@pytest.mark.slow
def test_settlement_adds_up_to_what_the_journal_expects() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    move(evening, -150_00, "Para o cofre")
    told = settlement(counted(evening, over=3))
    assert sum(amount for _name, amount in account(told)) == told.expected
    assert told.counted - told.expected == told.difference == 3


@pytest.mark.slow
def test_settlement_is_of_one_shift_only() -> None:
    evening = Evening().reach("sold")
    first = counted(evening)
    tills.open_shift(session=evening.session, till=first.till, float=7_00, **evening.who(CASHIER))
    second = counted(evening)
    assert settlement(first).games == (SettledGame(1, 6, 6 * FACE, 0, 0),)
    assert (settlement(second).shift, settlement(second).games) == (2, ())
    assert settlement(second).opening_float == 7_00


def test_settlement_names_the_manager_who_counted_for_the_cashier() -> None:
    told = settlement(counted(Evening().reach("shift"), by=MANAGER))
    assert (told.cashier, told.closed_by) == ("cashier 1", "hall_manager 1")


@pytest.mark.rule(44)
def test_settlement_hands_over_unpaid_prizes_and_names_the_second_persons() -> None:
    evening = Evening().reach("shift")
    chief = evening.person(CHIEF)
    shift, issue = evening.shift, evening.issue()
    moved = append(
        evening, "cash_moved", till="Caixa 1", amount=1_00, reason="Trocos", witness=chief.username
    )
    CashMovement.objects.create(shift=shift, kind="moved", amount=1_00, entry=moved)
    unpaid = [{"game": 3, "issue": issue.pk, "card": 17, "amount": 244_00}]
    count = {"expected": FLOAT + 1_00, "counted": FLOAT + 1_00, "difference": 0, "comment": ""}
    closed = append(
        evening, "shift_closed", till="Caixa 1", shift=1, **count, unpaid=unpaid,
        witness="somebody-unknown",
    )  # fmt: skip
    shift.closed_at, shift.counted = closed.at, FLOAT + 1_00
    shift.save(update_fields=["closed_at", "counted"])
    told = settlement(shift)
    assert told.unpaid == (UnpaidPrize(3, str(issue), 17, 244_00),)
    assert [each.witness for each in told.movements] == [chief.name]
    assert told.witness == "somebody-unknown"


def append(evening: Evening, kind: str, **data: Any) -> JournalEntry:
    """Write an entry as a later rule may write it."""
    by: Person = evening.person(MANAGER)
    at = evening.who(MANAGER)["at"]
    hall = head.lock(evening.hall.pk)
    return journal_services.append(hall, Fact(kind, data), session=evening.session, by=by, at=at)


def test_settlement_of_an_open_shift_is_refused() -> None:
    evening = Evening().reach("shift")
    with pytest.raises(Refusal) as refused:
        settlement(evening.shift)
    assert refused.value == Refusal("shift_still_open", till="Caixa 1")


@pytest.mark.rule(57)
@pytest.mark.slow
def test_prize_that_a_void_took_back_is_taken_over_by_nobody() -> None:
    evening = quiet().reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    line = Card.objects.get(series=evening.issue().series_id, number=1).rows[0]
    evening.announce_balls(*[number for number in line if number])
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    claims_services.check(
        game=evening.game, combination="line", issue=evening.issue(), card=1, sound=True,
        **evening.who(CHIEF),
    )  # fmt: skip
    claims_services.open_window(game=evening.game, **evening.who(CHIEF))
    claims_services.close_window(game=evening.game, **evening.who(CHIEF))
    first = counted(evening)
    assert [one.card for one in settlement(first).unpaid] == [1]
    games_services.void(
        game=evening.game, cause="other", reason="Incendio", witness=evening.person(MANAGER),
        **evening.who(CHIEF),
    )  # fmt: skip
    tills.open_shift(
        session=evening.session, till=first.till, float=7_00, **evening.who(CASHIER)
    )  # fmt: skip
    refunds_aside(evening)
    complete(evening)
    assert settlement(counted(evening)).taken == ()


@pytest.mark.slow
def test_prize_left_before_a_shift_began_stays_left_to_it_when_another_till_names_it_again() -> (
    None
):
    evening = Evening().reach("shift")
    one, two = evening.hall.tills.order_by("pk")
    ours, other = evening.hall.people.filter(roles__contains=[CASHIER]).order_by("username")
    beside = tills.open_shift(
        session=evening.session, till=two, float=FLOAT, by=other, at=timezone.now()
    )
    evening.reach("paying")
    first = shift_counted(evening.shift, by=ours)
    third = tills.open_shift(
        session=evening.session, till=one, float=FLOAT, by=ours, at=timezone.now()
    )
    second = shift_counted(beside, by=other)
    third = shift_counted(third, by=ours)
    assert {each.shift for each in settlement(third).taken} == {first.number}
    assert settlement(second).taken == ()


@pytest.mark.slow
def test_settlement_is_in_the_language_of_the_hall_whoever_reads_it() -> None:
    evening = Evening()
    pay(evening, not_fetched(evening))
    with translation.override("en"):
        told = settlement(counted(evening))
    assert [(one.what, one.reason) for one in told.aside] == [("Prémio", "O jogador saiu")]
    assert [one.reason for one in told.movements] == ["Por reclamar: pago"]


@pytest.mark.slow
@pytest.mark.rule(60)
def test_settlement_tells_what_is_still_owed_of_what_was_set_aside() -> None:
    evening = quiet()
    item = refund_item(evening)
    pay(evening, item, first=1, last=2)
    shift = counted(evening)
    [told] = settlement(shift).aside
    assert (told.amount, told.paid, told.owed) == (6 * FACE, 2 * FACE, 4 * FACE)
    again = tills.open_shift(
        session=evening.session, till=shift.till, float=FLOAT, **evening.who(CASHIER)
    )
    pay(evening, item, first=3, shift=again)
    assert settlement(shift).aside == (told,)


def refund_item(evening: Evening) -> UnclaimedItem:
    """Void a game of six cards, and set the price of all aside."""
    refunds_aside(voided_game(evening))
    complete(evening)
    return UnclaimedItem.objects.get()


@pytest.mark.slow
@pytest.mark.rule(44)
def test_prize_paid_in_the_first_game_stays_taken_over_when_its_double_card_is_set_aside_in_the_second() -> (
    None
):
    evening = spanish()
    double_cards(evening)
    evening.reach("paying")
    shift = counted(evening)
    tills.open_shift(
        session=evening.session, till=shift.till, float=3 * FLOAT, **evening.who(CASHIER)
    )
    paid(evening)
    complete(evening)
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    evening.stage = STAGES.index("closed")
    not_fetched(evening)
    assert [(one.game, one.card, one.paid) for one in settlement(counted(evening)).taken] == [
        (1, 1, True)
    ]
