"""A hall's training hall: made by the first who practises, through the services of any hall."""

from __future__ import annotations

from inspect import signature
from typing import Any

import pytest
from django.utils import timezone

from bingo.rules import authorisations as rules
from bingo.rules import policies, prizes, session_end_and_totals
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import ClaimCheck, Issue, Series
from draws.record.audit import audit
from draws.training import services as training
from draws.training.views import tasks
from halls import authorisations, jackpots, sessions, tills
from halls import training as halls_training
from halls.models import Hall, JournalEntry, LinkMember, Person, Role
from halls.policy import queries as policy_queries
from halls.policy.services import set_policy
from tests.support.evening import Evening, authorise, within
from tests.support.linked_jackpots import BASE, CODE, linked, take_part
from tests.support.opening_halls import open_one
from tests.support.planting_rows import plant
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def practising(evening: Evening, role: Role = Role.CASHIER) -> Person:
    """The account by which somebody of the hall practises."""
    return training.enter(evening.person(role), at=timezone.now())


def test_training_is_another_hall_like_the_real_one() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, difference_limit=700, **evening.who(Role.HALL_MANAGER))
    hall = practising(evening).hall
    assert (hall.code, hall.trains) == ("sala-training", evening.hall)
    assert (hall.name, hall.licence) == (
        halls_training.training_name(evening.hall), halls_training.mark_training("pt"),
    )  # fmt: skip
    for field in ("rulebook", "currency", "language", "time_zone"):
        assert getattr(hall, field) == getattr(evening.hall, field)
    decided = policy_queries.in_force(hall, timezone.now())
    assert (decided.difference_limit, decided.source) == (700, "rng")
    granted = hall.authorisations.get()
    assert (granted.faces, granted.line_share) == ([20000], 2000)
    assert Issue.objects.get(hall=hall).series.seed == "TRAINING sala-training 1"


def test_first_entry_says_that_nothing_is_real() -> None:
    hall = practising(Evening()).hall
    first = JournalEntry.objects.get(hall=hall, number=1)
    assert (first.kind, first.data, first.by) == ("training_begun", {"trains": "sala"}, None)


def test_everybody_practises_in_the_same_hall_as_themselves() -> None:
    evening = Evening()
    cashier, chief = practising(evening), practising(evening, Role.TABLE_CHIEF)
    assert cashier.hall == chief.hall
    assert Hall.objects.filter(trains=evening.hall).count() == 1
    assert Series.objects.filter(hall=cashier.hall).count() == 1
    assert practising(evening) == cashier
    assert cashier.practises == evening.person(Role.CASHIER)
    assert cashier.roles == [
        "cashier",
        "seller",
        "caller",
        "table_chief",
        "floor_assistant",
        "door",
    ]


def test_only_a_manager_manages_training() -> None:
    evening = Evening()
    assert Role.HALL_MANAGER in practising(evening, Role.HALL_MANAGER).roles
    assert Role.HALL_MANAGER not in practising(evening, Role.TABLE_CHIEF).roles


def test_inspector_does_not_practise() -> None:
    evening = Evening()
    with pytest.raises(Refusal) as refused:
        practising(evening, Role.INSPECTOR)
    assert refused.value.code == "not_allowed"


def test_training_hall_is_not_trained() -> None:
    account = practising(Evening())
    with refuses(Refusal("training_is_apart")):
        training.enter(account, at=timezone.now())


@pytest.mark.parametrize(
    ("lesson", "phase"), [("sale", "selling"), ("draw", "drawing"), ("claim", "stopped")]
)
@pytest.mark.slow
def test_lesson_deals_a_game_that_goes_on_at_the_desk(lesson: str, phase: str) -> None:
    account = practising(Evening())
    game = training.deal(lesson=lesson, by=account, at=timezone.now())
    assert (game.session.hall, game.phase, game.cards) == (account.hall, phase, training.CARDS)
    assert audit(Hall.objects.get(pk=account.hall_id)) == []


@pytest.mark.slow
@pytest.mark.rule(53)
def test_lesson_after_the_last_game_begins_another_session() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["shift_closed"], **evening.who(Role.HALL_MANAGER))
    account, at = practising(evening, Role.TABLE_CHIEF), timezone.now()
    hall, partner = account.hall, halls_training.partner(account.hall)
    ends, late = at + session_end_and_totals.LONGEST, at + 2 * session_end_and_totals.LONGEST
    who: dict[str, Any] = {"by": partner, "at": late}
    session = sessions.open_session(hall=hall, checked=True, ends_at=ends, by=partner, at=at)
    till = hall.tills.get()
    tills.open_shift(session=session, till=till, float=training.FLOAT, by=account, at=at)
    sessions.announce_last_game(session=session, **who)
    last = games_services.open_game(session=session, issue=Issue.objects.get(hall=hall), **who)
    games_services.void(game=last, cause="nothing_sold", reason="x", **who)
    games_services.complete(game=last, **who)
    dealt = training.deal(lesson="sale", by=account, at=late)
    assert (dealt.session.number, dealt.number, dealt.phase) == (2, 1, "selling")
    assert audit(Hall.objects.get(pk=hall.pk)) == []


def test_lesson_is_not_dealt_over_a_game_nor_where_things_are_real() -> None:
    evening = Evening()
    account = practising(evening)
    training.deal(lesson="sale", by=account, at=timezone.now())
    with refuses(Refusal("training_game_open")):
        training.deal(lesson="draw", by=account, at=timezone.now())
    with refuses(Refusal("not_in_training")):
        training.deal(lesson="draw", by=evening.person(Role.CASHIER), at=timezone.now())
    with refuses(Refusal("unknown_lesson")):
        training.deal(lesson="magic", by=account, at=timezone.now())


@pytest.mark.rule(35)
@pytest.mark.parametrize("limit", [1, 5, 20])
@pytest.mark.slow
def test_lesson_names_its_players_where_each_may_buy_so_many_cards(limit: int) -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=limit)
    account = practising(evening)
    game = training.deal(lesson="sale", by=account, at=timezone.now())
    assert game.cards == training.CARDS
    assert sum(training.bought(limit)) == training.CARDS
    assert [one.done for one in tasks(account)] == [0, 0, 0]
    assert audit(Hall.objects.get(pk=account.hall_id)) == []


def test_lesson_that_fails_half_way_leaves_no_game_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = practising(Evening())

    def refused(**_asked: object) -> None:
        raise Refusal("sold_out")

    with monkeypatch.context() as broken:
        broken.setattr("draws.sales.services.sell", refused)
        # `refuses` would take the game back by itself.
        with pytest.raises(Refusal):
            training.deal(lesson="sale", by=account, at=timezone.now())
    game = training.deal(lesson="sale", by=account, at=timezone.now())
    assert (game.number, game.cards) == (1, training.CARDS)


@pytest.mark.slow
def test_manager_begins_anew_and_nothing_of_the_old_is_deleted() -> None:
    evening = Evening()
    manager = practising(evening, Role.HALL_MANAGER)
    training.deal(lesson="claim", by=manager, at=timezone.now())
    before = JournalEntry.objects.filter(hall=manager.hall).count()
    halls_training.leave(manager.hall, by=manager, at=timezone.now())
    again = practising(evening, Role.HALL_MANAGER)
    assert (again.hall.code, again.hall.sessions.count()) == ("sala-training-2", 0)
    assert JournalEntry.objects.filter(hall=manager.hall).count() == before
    assert halls_training.seat(evening.person(Role.HALL_MANAGER)) == again


def test_only_a_manager_begins_anew() -> None:
    cashier = practising(Evening())
    with pytest.raises(Refusal) as refused:
        halls_training.leave(cashier.hall, by=cashier, at=timezone.now())
    assert refused.value.code == "not_allowed"


def test_manager_of_another_hall_ends_nobody_s_training() -> None:
    hall = practising(Evening()).hall
    stranger = bare("spain-1979")
    stranger.roles = [Role.HALL_MANAGER.value]
    with refuses("not_allowed"):
        halls_training.leave(hall, by=stranger, at=timezone.now())
    hall.refresh_from_db()
    assert hall.trained_until is None


def bare(rulebook: str) -> Person:
    """A cashier of a hall that has nothing yet."""
    hall = Hall.objects.create(
        code="nova", name="Nova", licence="1", language="es", currency="EUR",
        time_zone="Europe/Madrid", rulebook=rulebook,
    )  # fmt: skip
    return Person.objects.create(
        hall=hall, username="ana", name="Ana", roles=["cashier"], language="es", password="!"
    )


@pytest.mark.parametrize("rulebook", ["spain-1979", "cape-verde-2017"])
@pytest.mark.slow
def test_hall_that_has_nothing_yet_can_practise(rulebook: str) -> None:
    account = training.enter(bare(rulebook), at=timezone.now())
    game = training.deal(lesson="claim", by=account, at=timezone.now())
    assert (game.phase, account.hall.rulebook) == ("stopped", rulebook)
    assert audit(Hall.objects.get(pk=account.hall_id)) == []


def test_what_a_hall_was_opened_with_asks_for_two_in_training_too() -> None:
    hall = open_one(four_eyes=policies.STRICT)
    account = training.enter(hall.people.get(), at=timezone.now())
    decided = policy_queries.in_force(account.hall, timezone.now())
    assert decided.four_eyes == policies.STRICT


def test_coin_that_is_more_than_a_prize_of_training_is_left_out_there() -> None:
    hall = open_one()
    person = hall.people.get()
    set_policy(hall=hall, cash_step=50_00, difference_limit=700, by=person, at=timezone.now())
    account = training.enter(person, at=timezone.now())
    decided = policy_queries.in_force(account.hall, timezone.now())
    assert (decided.cash_step, decided.difference_limit) == (prizes.NONE, 700)


# What training has of its own, or in a way of its own.
APART = {
    "rulebook", "reference", "valid_from", "valid_until", "sizes", "witness",
    "jackpot_rate", "jackpot_limit", "jackpot_base", "jackpot_terms", "jackpot_levels",
}  # fmt: skip


def test_all_that_is_granted_is_granted_in_training_too() -> None:
    evening = Evening()
    given = authorise(
        evening.hall, reference="2/2026", tax_rate=500, tax_threshold=1_00, tax_on_sales=True,
        player_limit=20, several_prices=True, languages=["es"], capacity=200, identity_asked=True,
        unclaimed_terms={"days": 30, "to": "jackpot"}, exempt=["sound"],
        distributions=[Distribution(75, Shares(line=1900, bingo=6100))],
    )  # fmt: skip
    granted = practising(evening).hall.authorisations.get()
    for name, one in signature(rules.record).parameters.items():
        if name not in APART:
            assert getattr(given, name) != one.default, f"{name} is not granted here"
            assert getattr(granted, name) == getattr(given, name), name


def test_money_unclaimed_for_a_jackpot_goes_to_none_where_training_has_none() -> None:
    evening = Evening()
    chief = evening.person(Role.TABLE_CHIEF)
    authorise(
        evening.hall, reference="2/2026", unclaimed_terms={"days": 30, "to": "jackpot"},
        formats=[90], jackpot_terms={"limits": within(80, formats=[90])}, witness=chief,
    )  # fmt: skip
    granted = practising(evening).hall.authorisations.get()
    assert (granted.jackpot_rate, granted.unclaimed_terms) == (0, {})


@pytest.mark.rule(9)
def test_jackpot_of_several_halls_is_one_of_its_own_in_training() -> None:
    evening = linked("sul")
    account = practising(evening)
    granted = account.hall.authorisations.get()
    assert granted.jackpot_terms == {"limits": within(40)}
    hall = Hall.objects.get(pk=account.hall_id)
    assert hall.jackpot_balance == granted.jackpot_base
    assert training.deal(lesson="draw", by=account, at=timezone.now()).phase == "drawing"
    assert not LinkMember.objects.filter(hall=hall).exists()


@pytest.mark.rule(10)
def test_levels_take_together_in_training_what_they_take_of_a_real_game() -> None:
    evening = Evening()
    take_part(evening)
    authorise(
        evening.hall, reference="2/2026", jackpot_rate=200,
        jackpot_levels=[{"rate": 100, "base": BASE, "limits": within(40), "link": CODE}],
    )  # fmt: skip
    hall = practising(evening).hall
    levels = authorisations.levels_of(hall.authorisations.get())
    assert [(one.rate, one.base, one.link) for one in levels] == [(200, BASE, ""), (100, BASE, "")]
    assert jackpots.list_balances(Hall.objects.get(pk=hall.pk)) == [BASE, BASE]


@pytest.mark.parametrize("format", [80, 75, 30])
@pytest.mark.slow
def test_hall_without_cards_of_90_practises_with_its_own(format: int) -> None:
    evening = Evening(format=format)
    authorise(
        evening.hall,
        reference="2/2026",
        valid_from=evening.today,
        formats=[format],
    )
    account = practising(evening)
    game = training.deal(lesson="claim", by=account, at=timezone.now())
    told = training.sides(game)
    assert (game.issue.series.format, told.combination) == (format, "line")
    assert told.right is not None
    assert told.wrong is not None


@pytest.mark.parametrize(
    ("shares", "counts", "called"),
    [
        pytest.param(Shares(2000, 6000), ("columns",), "line", marks=pytest.mark.rule(67)),
        pytest.param(
            Shares(0, 6000, (Extra("corners", 2000),)), (), "corners", marks=pytest.mark.rule(84)
        ),
        pytest.param(Shares(0, 8000), (), "bingo", marks=pytest.mark.rule(75)),
    ],
)
@pytest.mark.slow
def test_lesson_claims_what_the_game_is_played_for(
    shares: Shares, counts: tuple[str, ...], called: str
) -> None:
    format = {"line": 80, "corners": 30, "bingo": 75}[called]
    evening = Evening()
    played = [Distribution(format, shares, counts)]
    authorise(evening.hall, reference="2/2026", formats=[format], distributions=played)
    account = practising(evening, Role.TABLE_CHIEF)
    game = training.deal(lesson="claim", by=account, at=timezone.now())
    told = training.sides(game)
    assert (game.phase, told.combination) == ("stopped", called)
    entry = claims_services.check(
        game=game, combination=called, issue=game.issue, card=told.right or 0, sound=True,
        by=account, at=timezone.now(),
    )  # fmt: skip
    assert ClaimCheck.objects.get(entry=entry).valid


@pytest.mark.slow
def test_claim_lesson_names_a_card_that_is_right_and_one_that_is_wrong() -> None:
    account = practising(Evening(), Role.TABLE_CHIEF)
    game = training.deal(lesson="claim", by=account, at=timezone.now())
    told = training.sides(game)
    for card, right in ((told.wrong, False), (told.right, True)):
        assert card is not None
        found = claims_services.check(
            game=game, combination=told.combination, issue=game.issue, card=card, sound=True,
            by=account, at=timezone.now(),
        )  # fmt: skip
        assert ClaimCheck.objects.get(entry=found).valid is right


def test_box_that_runs_short_is_followed_by_another() -> None:
    account = practising(Evening())
    Issue.objects.filter(hall=account.hall).update(last_sold=training.SIZE - training.CARDS)
    assert training.shelf(account.hall) == Issue.objects.get(hall=account.hall)
    partner = halls_training.partner(account.hall)
    second = training.receive(account.hall, by=partner, at=timezone.now())
    assert (second.identification, training.shelf(account.hall)) == ("T002", second)


def test_whoever_is_renamed_or_promoted_is_so_in_training() -> None:
    evening = Evening()
    own = evening.person(Role.CASHIER)
    account = practising(evening)
    plant(Person.objects.filter(pk=own.pk), name="Eva", roles=["hall_manager"], language="gl")
    own.refresh_from_db()
    seated = halls_training.seat(own)
    assert seated is not None
    assert (seated.pk, seated.name, seated.language) == (account.pk, "Eva", "gl")
    assert Role.HALL_MANAGER in seated.roles
    plant(Person.objects.filter(pk=own.pk), roles=["inspector"])
    own.refresh_from_db()
    assert halls_training.seat(own) is None


def test_code_that_another_hall_has_is_not_taken() -> None:
    """Real halls had such codes before they were refused."""
    Hall.objects.create(
        code="sala-training", name="x", licence="x", language="pt", currency="CVE",
        time_zone="UTC", rulebook="cape-verde-2017",
    )  # fmt: skip
    hall = practising(Evening()).hall
    assert hall.code == f"hall-{hall.trains_id}-training"
