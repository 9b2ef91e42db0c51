"""Money that nobody fetched, through services and rows: no evening is stuck, nothing is paid twice."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.custody import custody_list
from draws.custody import services as custody_services
from draws.jackpots import queries as jackpot_queries
from draws.models import Departure, UnclaimedItem, UnclaimedSettlement
from draws.prizes import services as prizes_services
from draws.prizes import unclaimed, views
from draws.record.acta import session_queries, unclaimed_and_jackpot_queries
from draws.record.audit import audit
from halls import jackpots, sessions, tills
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.complaints import decided, opened
from tests.support.custody_hall import Later, after, card, destroy_used
from tests.support.departing_players import (
    LINE_AND_BINGO,
    complete,
    not_fetched,
    pay,
    quiet,
    refunds_aside,
    set_aside,
    voided,
)
from tests.support.evening import FACE, FLOAT, Evening, authorise, within
from tests.support.linked_jackpots import BASE, CODE, TERMS, take_part
from tests.support.playing import again, refuses
from tests.support.session_ends import ended
from tests.support.unclaimed_money import paid_one_of_several

pytestmark = [pytest.mark.django_db, pytest.mark.rule(44)]


def whole(hall: Hall) -> None:
    """Nothing is wrong with the record of a hall."""
    assert audit(Hall.objects.get(pk=hall.pk)) == []


def next_day(evening: Evening) -> Evening:
    """Open the next session and a till in it, playing on with the second issue."""
    later = Later(hall=Hall.objects.get(pk=evening.hall.pk))
    later.reach("shift")
    return later


@pytest.mark.rule(60)
@pytest.mark.slow
def test_winner_who_left_leaves_an_evening_that_can_be_closed() -> None:
    evening = quiet()
    item = not_fetched(evening, note="Saiu antes do fim")
    assert (item.owed, item.first, item.last, item.reason) == ("prize", 1, 1, "left")
    assert (item.price, item.note, item.until, item.to) == (
        LINE_AND_BINGO, "Saiu antes do fim", None, "",
    )  # fmt: skip
    # The money is in the drawer, and expected there: the count has no surplus.
    session = ended(evening)
    closing = JournalEntry.objects.get(kind="shift_closed").data
    assert (closing["expected"], closing["difference"]) == (FLOAT + 6 * FACE, 0)
    assert "unpaid" not in closing
    assert unclaimed.balance(evening.hall).owed == LINE_AND_BINGO
    told = sessions.carried(session.hall)["CVE"]
    assert (told.prizes, told.set_aside, told.paid_later) == (LINE_AND_BINGO, LINE_AND_BINGO, 0)
    whole(evening.hall)


@pytest.mark.slow
def test_it_is_paid_against_the_card_in_a_later_session() -> None:
    evening = quiet()
    item = not_fetched(evening)
    ended(evening)
    later = next_day(evening)
    key = uuid4()
    done = pay(later, item, key=key)
    assert (done.amount, done.shift) == (LINE_AND_BINGO, later.shift)
    assert done.entry.session == later.session
    # The same order again, after a reload, pays nothing more.
    assert pay(later, item, key=key) == done
    moved = CashMovement.objects.get(entry=done.entry)
    assert (moved.kind, moved.amount) == ("unclaimed", -LINE_AND_BINGO)
    # A copied card shows the same number again.
    with refuses(Refusal("unclaimed_paid_already", card=1)):
        pay(later, item)
    ended(later)
    closing = JournalEntry.objects.filter(kind="shift_closed").latest("number").data
    assert (closing["expected"], closing["difference"]) == (FLOAT - LINE_AND_BINGO, 0)
    assert unclaimed.balance(evening.hall) == unclaimed.Balance(LINE_AND_BINGO, LINE_AND_BINGO, 0)
    assert sessions.carried(Hall.objects.get())["CVE"].paid_later == LINE_AND_BINGO
    assert list(unclaimed.still_open(evening.hall)) == []
    whole(evening.hall)


@pytest.mark.slow
def test_winner_who_comes_back_the_same_evening_is_paid_from_the_account() -> None:
    evening = quiet().reach("paying")
    set_aside(evening)
    with refuses(Refusal("set_aside_already", card=1)):
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
    pay(evening, UnclaimedItem.objects.get())
    complete(evening)
    ended(evening)
    whole(evening.hall)
    # The card was given up against the money: it is kept as others are (R52).
    session = UnclaimedItem.objects.get().game.session
    kept = unclaimed_and_jackpot_queries.custody_values(session, ZoneInfo("UTC")).kept
    assert [(one.card, one.amount) for one in kept] == [(1, LINE_AND_BINGO)]
    [till] = session_queries.till_values(session, ZoneInfo("UTC"))
    assert till.unclaimed_paid == LINE_AND_BINGO
    out = till.prizes + till.refunds + till.unclaimed_paid
    assert till.expected == till.opening_float + till.sales + till.moved - out


@pytest.mark.rule(57)
@pytest.mark.slow
def test_void_game_whose_cards_did_not_come_back_is_closed_and_paid_card_by_card() -> None:
    evening = voided(quiet())
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=2, last=3, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    with refuses(Refusal("refunds_due", left=4)):
        complete(evening)
    key = uuid4()
    entry = refunds_aside(evening, key=key)
    assert refunds_aside(evening, key=key) == entry
    assert entry.data["ranges"] == [
        {"issue": evening.issue().pk, "first": 1, "last": 1},
        {"issue": evening.issue().pk, "first": 4, "last": 6},
    ]
    assert entry.data["amount"] == 4 * FACE
    with refuses(Refusal("refunds_missing")):
        refunds_aside(evening)
    complete(evening)
    ended(evening)

    later = next_day(evening)
    item = UnclaimedItem.objects.get(first=4)
    pay(later, item, first=5)
    with refuses(Refusal("unclaimed_paid_already", card=5)):
        pay(later, item, first=4, last=6)
    pay(later, item, first=6)
    with refuses(Refusal("nothing_owed", card=3)):
        pay(later, item, first=3)
    assert unclaimed.balance(evening.hall).owed == 2 * FACE
    ended(later)
    whole(evening.hall)


def test_ranges_are_set_aside_as_they_are_named_and_once() -> None:
    evening = voided(quiet())
    key = uuid4()
    entry = refunds_aside(evening, [(5, 6), (1, 2)], key=key)
    assert refunds_aside(evening, [(1, 2), (5, 6)], key=key) == entry
    with refuses("key_reused"):
        refunds_aside(evening, [(1, 3)], key=key)
    with refuses(Refusal("set_aside_already", card=2)):
        refunds_aside(evening, [(2, 3)])
    assert UnclaimedItem.objects.count() == 2


# Who, when, with whom


@pytest.mark.parametrize("role", [Role.CALLER, Role.SELLER, Role.INSPECTOR])
def test_setting_aside_is_for_till_table_and_manager(role: Role) -> None:
    evening = quiet().reach("paying")
    with refuses("not_allowed"):
        set_aside(evening, role=role)


def test_two_persons_always_set_aside() -> None:
    evening = quiet().reach("paying")
    with refuses(Refusal("second_person_needed", command="prize_set_aside")):
        set_aside(evening, witness=None)
    with refuses("witness_not_allowed"):
        set_aside(evening, witness=Role.CALLER)
    with refuses("witness_same_person"):
        set_aside(evening, role=Role.TABLE_CHIEF)
    entry = set_aside(evening, role=Role.TABLE_CHIEF, witness=Role.HALL_MANAGER)
    assert entry.data["witness"] == evening.person(Role.HALL_MANAGER).username


@pytest.mark.slow
def test_nothing_is_set_aside_in_the_wrong_phase_or_of_a_game_gone_by() -> None:
    evening = quiet().reach("awarded")
    with refuses("wrong_phase"):
        set_aside(evening)
    with refuses("wrong_phase"):
        refunds_aside(evening, [(1, 1)])
    evening.reach("paying")
    with refuses("no_prize"):
        set_aside(evening, card=2)
    set_aside(evening)
    with refuses("set_aside_already"):
        set_aside(evening)
    complete(evening)
    with refuses("wrong_phase"):
        set_aside(evening)


def test_only_the_cashier_of_the_shift_pays() -> None:
    evening = quiet()
    item = not_fetched(evening)
    with refuses("not_your_shift"):
        pay(evening, item, role=Role.HALL_MANAGER)
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    with refuses("not_your_shift"):
        pay(evening, item, by=other)


@pytest.mark.slow
def test_money_of_one_hall_is_not_paid_in_another() -> None:
    evening = quiet()
    item = not_fetched(evening)
    other = Evening("outra").reach("shift")
    with refuses(Refusal("nothing_owed", card=1)):
        pay(other, item)


@pytest.mark.slow
def test_a_till_without_the_cash_names_those_that_have_it() -> None:
    evening = quiet()
    item = not_fetched(evening)
    ended(evening)
    later = Later(hall=Hall.objects.get()).reach("session")
    one, two = evening.hall.tills.order_by("pk")
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    tills.open_shift(session=later.session, till=two, float=FLOAT, by=other, at=timezone.now())
    short = tills.open_shift(session=later.session, till=one, float=1, **later.who(Role.CASHIER))
    with refuses(Refusal("cash_short", left=1, due=LINE_AND_BINGO, tills=[two.name])):
        pay(later, item, shift=short)


# Refused cards, complaints


@pytest.mark.rule(30)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_card_refused_at_payment_is_paid_by_an_upheld_complaint_before_two() -> None:
    evening = quiet().reach("paying")
    set_aside(evening, reason="altered")
    complaint = opened(evening, evening.who(Role.TABLE_CHIEF), card=1)
    complete(evening)
    item = UnclaimedItem.objects.get()
    with refuses(Refusal("card_was_refused", card=1)):
        pay(evening, item)
    by_word: dict[str, Any] = {"complaint": complaint, "witness": Role.TABLE_CHIEF}
    with refuses("complaint_not_upheld"):
        pay(evening, item, **by_word)
    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld")
    complaint.refresh_from_db()
    with refuses(Refusal("second_person_needed", command="unclaimed_paid")):
        pay(evening, item, complaint=complaint)
    done = pay(evening, item, **by_word)
    assert done.entry.data["complaint"] == [complaint.session.number, complaint.number]
    # No card came, so that none is kept.
    assert custody_list.list_kept_cards(evening.hall, at=timezone.now()).cards == 0
    ended(evening)
    whole(evening.hall)


@pytest.mark.slow
def test_complaint_about_another_card_or_of_another_hall_pays_nothing() -> None:
    evening = quiet().reach("paying")
    set_aside(evening, reason="lost")
    other = opened(evening, evening.who(Role.TABLE_CHIEF), card=2)
    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld")
    elsewhere = Evening("outra").reach("window")
    foreign = opened(elsewhere, elsewhere.who(Role.TABLE_CHIEF), card=1)
    item = UnclaimedItem.objects.get()
    game = item.game
    assert game.session.hall == evening.hall
    by_word: dict[str, Any] = {"witness": Role.TABLE_CHIEF}
    with refuses("complaint_of_other_card"):
        pay(evening, item, complaint=other, **by_word)
    with refuses("unknown_complaint"):
        pay(evening, item, complaint=foreign, **by_word)


# The period


def granted(to: str = "treasury", days: int = 30) -> Evening:
    """A hall whose authorisation names a period and a destination."""
    return quiet(unclaimed_terms={"days": days, "to": to})


def expire(evening: Evening, days: float, *, to: str = "treasury", **how: Any) -> JournalEntry:
    """Let go what is past its period, some days from now."""
    usual: dict[str, Any] = {
        "reference": "DUC 4/2026", "witness": evening.person(Role.TABLE_CHIEF),
        "by": evening.person(Role.HALL_MANAGER), "at": after(days),
    }  # fmt: skip
    return unclaimed.expire(hall=evening.hall, to=to, **(usual | how))


@pytest.mark.slow
def test_what_nobody_fetched_in_its_period_goes_where_the_authorisation_says() -> None:
    evening = granted()
    item = not_fetched(evening)
    assert (item.until, item.to) == (evening.today + timedelta(days=30), "treasury")
    ended(evening)
    with refuses("nothing_expired"):
        expire(evening, 30)
    with refuses("nothing_expired"):
        expire(evening, 31, to="operator")
    with refuses("paper_missing"):
        expire(evening, 31, reference=" ")
    with refuses("not_allowed"):
        expire(evening, 31, by=evening.person(Role.CASHIER))
    with refuses("second_person_needed"):
        expire(evening, 31, witness=None)
    with refuses("witness_same_person"):
        expire(evening, 31, witness=evening.person(Role.HALL_MANAGER))
    key = uuid4()
    entry = expire(evening, 31, key=key)
    assert expire(evening, 31, key=key) == entry
    assert (entry.data["to"], entry.data["amount"]) == ("treasury", LINE_AND_BINGO)
    with refuses("nothing_expired"):
        expire(evening, 32)
    assert unclaimed.balance(evening.hall) == unclaimed.Balance(LINE_AND_BINGO, 0, LINE_AND_BINGO)
    whole(evening.hall)


@pytest.mark.slow
def test_nothing_is_paid_after_its_period_and_on_its_last_day_it_is() -> None:
    evening = granted(days=1)
    item = not_fetched(evening)
    until = item.until
    assert until is not None
    with refuses(Refusal("unclaimed_period_over", day=until.isoformat())):
        pay(evening, item, at=after(2))
    pay(evening, item, at=after(1))
    whole(evening.hall)


@pytest.mark.rule(10)
@pytest.mark.slow
def test_jackpot_takes_it_between_sessions() -> None:
    evening = granted("jackpot")
    not_fetched(evening)
    with refuses("jackpot_in_play"):
        expire(evening, 31, to="jackpot")
    ended(evening)
    before = Hall.objects.get().jackpot_balance
    entry = expire(evening, 31, to="jackpot")
    assert Hall.objects.get().jackpot_balance == before + LINE_AND_BINGO == entry.data["balance"]
    account = jackpot_queries.statement(Hall.objects.get())
    assert account.whole
    last = account.lines[-1]
    assert (last.entry, last.movement.amount) == (entry, LINE_AND_BINGO)
    assert account.balances[0] == sum(line.movement.amount for line in account.lines)
    session = sessions.open_session(
        hall=evening.hall, checked=True, ends_at=after(31) + timedelta(hours=6),
        by=evening.person(Role.HALL_MANAGER), at=after(31),
    )  # fmt: skip
    (level,) = unclaimed_and_jackpot_queries.jackpot_values(session, ZoneInfo("UTC"))
    (moved,) = level.movements
    assert (moved.kind, moved.amount) == ("unclaimed_expired", LINE_AND_BINGO)
    assert (level.opened, level.closed) == (before, before + LINE_AND_BINGO)
    whole(evening.hall)


@pytest.mark.rule(10)
@pytest.mark.slow
def test_jackpot_that_is_no_longer_authorised_takes_what_was_promised_to_it_until_it_ends() -> None:
    evening = granted("jackpot")
    not_fetched(evening)
    ended(evening)
    authorise(
        evening.hall, reference="9/2026", valid_from=evening.today, jackpot_rate=0, jackpot_base=0
    )
    entry = expire(evening, 31, to="jackpot")
    assert Hall.objects.get().jackpot_balance == entry.data["balance"]
    assert list(unclaimed.still_open(evening.hall)) == []
    jackpots.end_jackpot(
        hall=Hall.objects.get(), to="Instituição", reference="Despacho 3/2026",
        by=evening.person(Role.HALL_MANAGER), at=after(31),
    )  # fmt: skip
    assert Hall.objects.get().jackpot_balance == 0
    whole(evening.hall)


@pytest.mark.rule(10)
@pytest.mark.parametrize("levels", [[], [{"rate": 100, "base": 0, "limits": within(45)}]])
def test_first_level_of_the_hall_s_own_takes_it_where_the_first_is_linked(
    levels: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = granted("jackpot")
    not_fetched(evening)
    ended(evening)
    jackpots.end_jackpot(
        hall=evening.hall, to="Instituição", reference="1/2026", **evening.who(Role.HALL_MANAGER)
    )
    take_part(evening)
    link = {"link": CODE, "limits": TERMS["limits"]}
    authorise(
        evening.hall, reference="9/2026", valid_from=evening.today, jackpot_base=BASE,
        jackpot_rate=200 if levels else 300, jackpot_terms=link, jackpot_levels=levels,
    )  # fmt: skip
    monkeypatch.setattr(views, "timezone", SimpleNamespace(now=lambda: after(31)))
    shown = evening.at("manager").get("/unclaimed/").content.decode()
    assert 'id="expired"' in shown
    assert ('name="reference"' in shown) is bool(levels)
    if not levels:
        with refuses("unclaimed_without_jackpot"):
            expire(evening, 31, to="jackpot")
        return
    entry = expire(evening, 31, to="jackpot")
    assert (entry.data["level"], entry.data["balance"]) == (1, LINE_AND_BINGO)
    assert Hall.objects.get().level_balances == [LINE_AND_BINGO]
    assert jackpot_queries.statement(Hall.objects.get()).whole
    whole(evening.hall)


@pytest.mark.rule(61)
@pytest.mark.slow
def test_open_complaint_about_the_card_holds_it_back() -> None:
    evening = granted(days=1).reach("paying")
    set_aside(evening)
    opened(evening, evening.who(Role.TABLE_CHIEF), card=1)
    complete(evening)
    ended(evening)
    with refuses("nothing_expired"):
        expire(evening, 2)
    decided(evening, evening.who(Role.HALL_MANAGER))
    expire(evening, 2)
    whole(evening.hall)


# Cards


@pytest.mark.rule(52)
@pytest.mark.slow
def test_winning_card_paid_later_is_kept_from_its_payment_on_and_recorded_with_its_prize() -> None:
    evening = quiet()
    item = not_fetched(evening)
    # The five that won nothing are the used ones, whether the sixth ever comes or not.
    destroy_used(evening, evening.who(Role.TABLE_CHIEF), cards=5)
    ended(evening)
    assert custody_list.unpaid(evening.hall) == []
    assert custody_list.list_kept_cards(evening.hall, at=timezone.now()).cards == 0
    later = next_day(evening)
    pay(later, item)
    shelf = custody_list.list_kept_cards(evening.hall, at=timezone.now())
    assert shelf.cards == 1
    [(_day, [row])] = shelf.waiting
    assert (row.kept.card, row.kept.session, row.amount) == (1, 1, LINE_AND_BINGO)
    ended(later)
    assert custody_list.due_today(evening.hall, at=after(9)) == 1
    entry = custody_services.destroy(
        hall=evening.hall, cards=[card(evening)], witness=evening.person(Role.TABLE_CHIEF),
        by=evening.person(Role.HALL_MANAGER), at=after(9),
    )  # fmt: skip
    [recorded] = custody_list.get_custody_record(entry).cards
    assert recorded.amount == LINE_AND_BINGO
    whole(evening.hall)


def lose(evening: Evening, **how: Any) -> JournalEntry:
    """Record that the kept card is lost."""
    usual: dict[str, Any] = {
        "cards": [card(evening)], "reason": "Não está no cofre",
        "witness": evening.person(Role.TABLE_CHIEF),
        "by": evening.person(Role.HALL_MANAGER), "at": timezone.now(),
    }  # fmt: skip
    return custody_services.lose(hall=evening.hall, **(usual | how))


@pytest.mark.rule(52)
@pytest.mark.slow
def test_kept_card_that_is_lost_is_a_fact_and_nothing_waits_for_it() -> None:
    evening = quiet()
    item = not_fetched(evening)
    pay(evening, item)
    ended(evening)
    with refuses("second_person_needed"):
        lose(evening, witness=None)
    with refuses("not_allowed"):
        lose(evening, by=evening.person(Role.CASHIER))
    with refuses("reason_missing"):
        lose(evening, reason=" ")
    key = uuid4()
    entry = lose(evening, key=key)
    assert lose(evening, key=key) == entry
    assert Departure.objects.get().how == "lost"
    with refuses(Refusal("lost_already", card=1)):
        lose(evening)
    with refuses(Refusal("lost_already", card=1)):
        custody_services.destroy(
            hall=evening.hall, cards=[card(evening)], witness=evening.person(Role.TABLE_CHIEF),
            by=evening.person(Role.HALL_MANAGER), at=after(9),
        )  # fmt: skip
    assert custody_list.due_today(evening.hall, at=after(9)) == 0
    whole(evening.hall)


# What the audit finds


@pytest.fixture
def paid() -> UnclaimedSettlement:
    """A card of several that were set aside, paid later."""
    return paid_one_of_several()


def test_settlement_that_no_entry_made_is_found(paid: UnclaimedSettlement) -> None:
    hall = Hall.objects.get()
    whole(hall)
    other = JournalEntry.objects.get(kind="game_voided")
    again(UnclaimedSettlement.objects.get(), first=5, last=5, entry=other)
    assert [one.code for one in audit(hall)] == ["unclaimed_settlement_differs"]


def test_item_that_no_entry_made_is_found(paid: UnclaimedSettlement) -> None:
    other = JournalEntry.objects.get(kind="game_voided")
    again(UnclaimedItem.objects.get(), first=9, last=9, entry=other)
    assert [one.code for one in audit(Hall.objects.get())] == ["unclaimed_differs"]


@pytest.mark.rule(30)
@pytest.mark.slow
def test_complaint_about_the_hall_or_from_before_pays_no_refused_card_and_is_not_offered() -> None:
    evening = quiet().reach("paying")
    opened(evening, evening.who(Role.TABLE_CHIEF), text="Faz calor na sala", card=None, ball=None)
    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld")
    about_the_card = opened(evening, evening.who(Role.TABLE_CHIEF), card=1)
    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld")
    heat = evening.session.complaints.get(number=1)
    set_aside(evening, reason="altered")
    complete(evening)
    item = UnclaimedItem.objects.get()
    assert not unclaimed.rulings_about(item, 1).exists()
    with refuses("complaint_of_other_card"):
        pay(evening, item, complaint=heat, witness=Role.TABLE_CHIEF)
    with refuses("complaint_decided_before"):
        pay(evening, item, complaint=about_the_card, witness=Role.TABLE_CHIEF)
    after = opened(evening, evening.who(Role.TABLE_CHIEF), card=1)
    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld")
    assert [one.pk for one in unclaimed.rulings_about(item, 1)] == [after.pk]
    pay(evening, item, complaint=after, witness=Role.TABLE_CHIEF)
    ended(evening)
    whole(evening.hall)


@pytest.mark.rule(51)
@pytest.mark.slow
def test_complaint_about_one_card_keeps_no_other_money_back() -> None:
    """Two ranges are set aside by one order; what the page says is due is what is let go."""
    evening = voided(granted(days=1))
    refunds_aside(evening, [(1, 2), (3, 6)])
    opened(evening, evening.who(Role.TABLE_CHIEF), card=1, ball=None)
    complete(evening)
    ended(evening)
    hall = Hall.objects.get()
    shown = unclaimed.listed(hall, unclaimed.still_open(hall), on=hall.day(after(2)))
    assert [(one.item.first, one.held) for one in shown] == [(1, True), (3, False)]
    due = sum(one.item.amount for one in shown if one.over and not one.held)
    assert expire(evening, 2).data["amount"] == due > 0
