"""An acta tells the whole session: people, equipment, balls, jackpot, cards kept, clock, planned end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from bingo.rules import patterns, session_state
from bingo.rules import session as rules
from bingo.rules.formats import SEVENTY_FIVE
from bingo.rules.game_flow import Fact
from draws.balls import draw
from draws.cards import hall_patterns
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.models import Card, UsedDestruction
from draws.record.acta import document, game_queries, labels
from draws.record.acta import queries as acta_queries
from draws.record.acta import values as acta_values
from draws.record.audit import audit
from halls import jackpots, sessions, tills
from halls.models import Hall, JournalEntry, Role, Session
from halls.policy.services import set_policy
from tests.support import custody_hall
from tests.support.acta_schema import faults
from tests.support.additional_prizes import FIGURE, PLAYED, X, granted
from tests.support.ball_sets import (
    EXTRACTOR,
    SERIAL,
    ball_set,
    call_balls,
    checked,
    device,
    own,
    use_set,
    waive,
)
from tests.support.cash_step import coined
from tests.support.evening import FLOAT, STAGES, Evening, authorise, within
from tests.support.linked_jackpots import BASE, CODE, TERMS, fund, linked, take_part
from tests.support.planting_rows import plant, plant_row
from tests.support.played_games import both_halves, completed
from tests.support.service_commands.equipment import without_a_set
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import expire, prize_left, refund
from tests.support.service_commands.sales import leave, sell
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db

CASH = 100_00
TWO_LEVELS = {
    "jackpot_rate": 200,
    "jackpot_levels": [{"rate": 100, "limits": within(30), "base": 1_00}],
}


def read(session: Session) -> acta_values.ActaValues:
    """Read the acta of a closed session, which can also be drawn."""
    with translation.override("en"):
        told = acta_queries.values(session, made_at=timezone.now())
        assert document.draw(told).startswith(b"%PDF-")
    return told


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_names_the_hall_as_it_was_when_the_session_opened() -> None:
    evening = Evening().reach("session")
    plant(Hall.objects.filter(pk=evening.hall.pk), name="Outra sala", licence="9/2030")
    told = read(ended(completed(evening)))
    assert (told.hall, told.licence) == ("Sala sala", "1/2026")
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_of_a_session_older_than_that_names_the_hall_as_it_is() -> None:
    evening = Evening()
    evening.hall.licence = "9/2030"
    plant_row(evening.hall, "licence")
    session = ended(completed(evening))
    for name in ("hall", "licence"):
        del session.state["terms"][name]
    told = read(session)
    assert (told.hall, told.licence) == ("Sala sala", "9/2030")


@pytest.mark.rule(59)
@pytest.mark.slow
def test_acta_says_which_form_it_is_drawn_up_in() -> None:
    told = read(ended(completed(Evening())))
    assert told.template
    assert told.template == labels.CURRENT
    assert acta_values.data(told)["template"] == {
        "version": told.template.version,
        "dated": told.template.dated.isoformat(),
    }


@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_names_the_staff_by_what_they_did() -> None:
    evening = Evening()
    told = read(ended(completed(evening)))
    by = {one.username: {task.kind: task.times for task in one.tasks} for one in told.staff}
    caller, chief = (evening.person(role) for role in (Role.CALLER, Role.TABLE_CHIEF))
    assert by[caller.username]["ball_announced"] == len(told.games[0].balls)
    assert by[chief.username]["entry_completed"] == 1
    assert by[evening.person(Role.CASHIER).username]["prize_paid"] == 1
    assert by[evening.person(Role.HALL_MANAGER).username]["session_closed"] == 1
    assert evening.person(Role.INSPECTOR).username not in by
    entries = JournalEntry.objects.filter(session__number=told.session, by__isnull=False)
    assert sum(times for tasks in by.values() for times in tasks.values()) == entries.count()


@pytest.mark.rule(32)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_tells_the_check_and_what_was_let_pass() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    waive(evening, evening.who(Role.HALL_MANAGER))
    told = read(ended(completed(evening)))
    [check] = told.checks
    assert (check.passed, [item.note for item in check.items if item.ok is False]) == (
        False,
        ["Avariado"],
    )
    [waiver] = told.waivers
    assert (waiver.note, waiver.reason, waiver.witness) == (
        "Avariado", "Megafone", evening.person(Role.TABLE_CHIEF).name,
    )  # fmt: skip
    staff = {one.username: {task.kind for task in one.tasks} for one in told.staff}
    assert "equipment_checked" in staff[evening.person(Role.HALL_MANAGER).username]


@pytest.mark.rule(23)
@pytest.mark.rule(25)
@pytest.mark.slow
def test_acta_counts_the_games_of_a_ball_set_and_tells_its_roll_calls() -> None:
    evening = Evening()
    own(device, ball_set, use_set, call_balls)(evening)
    told = read(ended(completed(evening)))
    [used] = told.ball_sets
    assert (used.serial, used.extractor) == (SERIAL, EXTRACTOR)
    assert (used.before, used.games, used.after, used.most) == (12, 1, 13, 2_000)
    assert told.games[0].ball_set == SERIAL
    call, again, closing = told.roll_calls
    assert (again.when, again.seen, closing.when, closing.seen) == ("opening", 90, "closing", 90)
    assert (call.when, call.seen, call.missing, call.foreign) == ("opening", 89, (90,), (91,))


@pytest.mark.rule(25)
@pytest.mark.slow
def test_acta_without_a_ball_set_has_none() -> None:
    evening = Evening().reach("session")
    without_a_set(evening, evening.who(Role.HALL_MANAGER))
    told = read(ended(completed(evening)))
    assert [one.reason for one in told.waivers] == ["Na alfândega"]
    assert (told.ball_sets, told.roll_calls, told.checks, told.games[0].ball_set) == (
        (), (), (), "",
    )  # fmt: skip


@pytest.mark.rule(53)
@pytest.mark.slow
def test_acta_tells_the_planned_end_its_change_and_the_last_game() -> None:
    evening = Evening().reach("session")
    manager = evening.who(Role.HALL_MANAGER)
    opened = evening.session.opened_at
    then = opened + timedelta(minutes=5)
    sessions.plan_session_end(session=evening.session, ends_at=then, reason="Sala vazia", **manager)
    sessions.announce_last_game(session=evening.session, **evening.who(Role.CALLER))
    told = read(ended(completed(evening)))
    assert [one.reason for one in told.endings] == ["", "Sala vazia"]
    assert told.last_game
    assert told.last_game.game == 1
    assert told.last_game.ends_at == then.replace(microsecond=0)


@pytest.mark.rule(9)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_tells_every_movement_of_the_jackpot() -> None:
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    held = evening.hall.jackpot_balance
    jackpots.fund_jackpot(hall=evening.hall, level=0, amount=CASH, reference="9/2026", **manager)
    evening.reach("session")
    told = read(ended(completed(evening)))
    [level] = told.jackpot
    accrued = told.games[0].jackpot_accrual
    won = told.games[0].jackpot_awarded
    assert (level.opened, level.funded, level.accrued, level.reversed) == (held, CASH, accrued, 0)
    assert (level.awarded, level.closed) == (won, Hall.objects.get().jackpot_balance)
    assert won > 0
    kinds = [moved.kind for moved in level.movements]
    assert kinds == ["jackpot_funded", "accrued", "awarded", "restored"]
    assert level.movements[-1].balance == level.closed


@pytest.mark.rule(10)
@pytest.mark.slow
def test_acta_tells_what_a_void_game_took_back_of_the_jackpot() -> None:
    evening = Evening().reach("closed")
    voided(evening)
    told = read(ended(evening))
    [level] = told.jackpot
    assert level.accrued == level.reversed > 0
    assert level.opened == level.closed


@pytest.mark.rule(9)
@pytest.mark.rule(10)
@pytest.mark.slow
def test_acta_tells_what_the_session_moved_in_a_jackpot_of_several_halls() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    there.reach("closed")
    told = read(ended(completed(here)))
    own, level = told.jackpot
    assert [moved.kind for moved in own.movements] == ["jackpot_ended"]
    assert (own.link, own.accrued, own.closed) == ("", 0, 0)
    [game] = told.games
    assert (level.link, level.name) == (CODE, "Jackpot (Ilhas)")
    assert level.accrued == game.jackpot_accrual > 0
    # What waits in the other hall is not won here.
    assert level.awarded == game.jackpot_awarded == BASE + game.jackpot_accrual
    assert (level.funded, level.restored, level.reversed, level.other) == (BASE, BASE, 0, 0)
    # The money is that of all halls: this one holds none of it.
    assert (level.opened, level.closed) == (0, 0)
    held = [(moved.kind, moved.balance) for moved in level.movements]
    others = game.jackpot_accrual
    assert held == [
        ("link_funded", BASE), ("accrued", BASE + 2 * others), ("awarded", others),
        ("restored", BASE + others),
    ]  # fmt: skip
    assert not game.levels


@pytest.mark.rule(10)
@pytest.mark.rule(11)
@pytest.mark.slow
def test_acta_tells_what_the_hall_moved_in_a_jackpot_that_it_did_not_play_for() -> None:
    evening = Evening()
    take_part(evening)
    who = evening.who(Role.HALL_MANAGER)
    fund(evening)
    evening.reach("closed")
    fund(evening, 5_00)
    voided(evening)
    told = read(ended(evening))
    own, level = told.jackpot
    assert (own.link, level.link, level.name, level.limits) == ("", CODE, "Ilhas", ())
    assert (level.funded, level.other, level.closed) == (BASE + 5_00, 0, 0)
    assert not told.games[0].levels
    assert faults(acta_values.data(told)) == []
    jackpots.end_jackpot(hall=evening.hall, link=CODE, to="Cruz", reference="8/2026", **who)
    after = read(Evening(hall=evening.hall).reach("session").close())
    assert [(one.link, one.other) for one in after.jackpot if one.link] == [(CODE, -BASE - 5_00)]


@pytest.mark.rule(10)
@pytest.mark.rule(57)
@pytest.mark.slow
def test_acta_tells_what_a_void_game_took_back_of_a_jackpot_of_several_halls() -> None:
    evening = linked("a")
    fund(evening)
    evening.reach("closed")
    voided(evening)
    told = read(ended(evening))
    _own, level = told.jackpot
    assert level.accrued == level.reversed == told.games[0].jackpot_reversed > 0


@pytest.mark.rule(6)
@pytest.mark.rule(9)
@pytest.mark.slow
def test_acta_leaves_in_a_jackpot_of_several_halls_what_coins_cannot_pay() -> None:
    evening = linked("a")
    fund(evening)
    set_policy(hall=evening.hall, cash_step=35_00, **evening.who(Role.HALL_MANAGER))
    told = read(ended(completed(evening)))
    _own, level = told.jackpot
    assert level.awarded == told.games[0].jackpot_awarded
    [won] = [moved for moved in level.movements if moved.kind == "awarded"]
    assert won.amount == -level.awarded
    assert won.balance == BASE + level.accrued - level.awarded > 0


@pytest.mark.rule(9)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_game_tells_its_part_of_a_linked_level_beside_the_halls_own() -> None:
    evening = linked("a")
    fund(evening)
    terms = {"link": CODE, "limits": TERMS["limits"]}
    authorise(
        evening.hall, reference="3/2026", jackpot_base=BASE, jackpot_terms=terms, jackpot_rate=200,
        jackpot_levels=[{"rate": 100, "limits": TERMS["limits"], "base": 1_00}],
    )  # fmt: skip
    told = read(ended(completed(evening)))
    [game] = told.games
    assert [one.level for one in game.levels] == [0, 1]
    shown = [one for one in told.jackpot if one.link or one.level]
    assert [(one.accrued, one.awarded) for one in game.levels] == [
        (one.accrued, one.awarded) for one in shown
    ]
    assert sum(one.accrued for one in shown) == game.jackpot_accrual
    assert sum(one.awarded for one in shown) == game.jackpot_awarded


@pytest.mark.rule(10)
@pytest.mark.rule(57)
@pytest.mark.slow
@pytest.mark.parametrize("granted", [{}, TWO_LEVELS], ids=["one level", "two levels"])
def test_acta_of_a_void_game_takes_back_what_coins_left_over_too(granted: dict[str, Any]) -> None:
    evening = coined(35_00, **granted)
    with_a_line(evening)
    voided(evening)
    told = read(ended(evening))
    [game] = told.games
    first, *_others = told.jackpot
    left = JournalEntry.objects.get(kind="window_closed").data["carried"]["jackpot"]
    assert (first.other, first.reversed) == (left, first.accrued + left)
    assert game.jackpot_reversed == sum(one.reversed for one in told.jackpot)
    assert [one.accrued for one in game.levels] == ([0, 0] if granted else [])
    assert [one.opened for one in told.jackpot] == [one.closed for one in told.jackpot]


def with_a_line(evening: Evening) -> None:
    """Play up to the end of the window after the first card's line."""
    evening.reach("closed")
    issue, caller, chief = (
        evening.issue(), evening.who(Role.CALLER), evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    games_services.announce_draw(game=evening.game, **caller)
    row = Card.objects.get(series=issue.series_id, number=1).rows[0]
    evening.announce_balls(*(number for number in row if number))
    draw.call_claim(game=evening.game, combination="line", **caller)
    claims_services.check(
        game=evening.game, combination="line", issue=issue, card=1, sound=True, **chief
    )
    claims_services.open_window(game=evening.game, **chief)
    claims_services.close_window(game=evening.game, **chief)


def voided(evening: Evening) -> None:
    """Void the game, give all back, complete the entry."""
    chief, cashier = evening.who(Role.TABLE_CHIEF), evening.who(Role.CASHIER)
    void(evening, chief)
    refund(evening, cashier)
    games_services.complete(game=evening.game, **chief)


@pytest.mark.rule(44)
@pytest.mark.slow
def test_acta_tells_what_passed_its_period_since_the_session_before() -> None:
    evening = Evening()
    prize_left(evening)
    first = read(Session.objects.get()).unclaimed
    later = timezone.now() + timedelta(days=5)
    manager = evening.who(Role.HALL_MANAGER) | {"at": later}
    entry = expire(evening, manager)
    until = later + timedelta(hours=8)
    for _session in range(2):
        sessions.open_session(hall=evening.hall, checked=True, ends_at=until, **manager)
        sessions.close_session(session=evening.session, **manager)
    told, after = (
        read(Session.objects.get(number=number)).unclaimed for number in (2, 3)
    )  # fmt: skip
    assert first
    assert first.owed > 0
    assert first.settled == ()
    assert told
    [gone] = told.settled
    assert (gone.how, gone.at, gone.amount) == ("expired", entry.at, first.owed)
    assert (told.owed, after) == (0, None)


@pytest.mark.rule(57)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_says_who_voided_a_game_and_of_what_cause() -> None:
    evening = Evening().reach("drawing")
    voided(evening)
    [game] = read(ended(evening)).games
    assert game.voided == "Som cortado"
    assert game.voiding
    assert (game.voiding.cause, game.voiding.by) == (
        "announcement_error",
        evening.person(Role.TABLE_CHIEF).name,
    )


@pytest.mark.rule(56)
@pytest.mark.slow
def test_acta_tells_the_cards_of_a_player_who_left() -> None:
    evening = Evening().reach("selling")
    sell(evening, evening.who(Role.CASHIER), quantity=6, player="7")
    evening.stage = 5  # sold
    evening.reach("closed")
    leave(evening, evening.who(Role.CASHIER))
    [game] = read(ended(completed(evening))).games
    [left] = game.transfers
    assert (left.first, left.last, left.player, left.to) == (1, 2, "7", "8")


@pytest.mark.rule(51)
@pytest.mark.rule(52)
@pytest.mark.slow
def test_acta_tells_the_winning_cards_kept_and_until_when() -> None:
    evening = custody_hall.completed(Evening())
    manager = evening.who(Role.HALL_MANAGER)
    custody_hall.destroy_used(evening, manager)
    told = read(ended(evening))
    assert told.custody
    [kept] = told.custody.kept
    played = told.games[0].winners[0].paid_at
    assert played
    assert (kept.game, kept.card, kept.case) == (1, custody_hall.WINNER, None)
    assert (kept.free - played.date()).days == 9
    [used] = told.custody.used
    assert (used.game, used.cards, used.missing) == (1, 5, 0)
    assert told.custody.departures == ()


@pytest.mark.rule(52)
@pytest.mark.slow
def test_what_became_of_cards_since_is_not_of_the_acta() -> None:
    evening = Evening()
    session = custody_hall.over(evening)
    before = read(session).custody
    manager = evening.who(Role.HALL_MANAGER)
    custody_hall.open_case(evening, manager, cards=[custody_hall.card(evening, 5)])
    custody_hall.destroy_used(evening, manager, cards=4)
    assert UsedDestruction.objects.exists()
    assert read(session).custody == before


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_cards_destroyed_after_the_close_stand_in_the_acta_of_the_next_session() -> None:
    evening = Evening()
    custody_hall.over(evening)
    custody_hall.destroy_used(evening, evening.who(Role.HALL_MANAGER), cards=4)
    evening.stage = STAGES.index("none")
    told = read(ended(evening.reach("shift"))).custody
    assert told
    [done] = told.departures
    assert done.kind == "used_cards_destroyed"
    assert "session 1, game 1 · 4 cards · 1 not handed in" in done.text
    assert told.used == ()


@pytest.mark.rule(52)
@pytest.mark.slow
def test_acta_tells_a_case_that_holds_a_winning_card() -> None:
    evening = custody_hall.completed(Evening())
    custody_hall.open_case(evening, evening.who(Role.HALL_MANAGER))
    told = read(ended(evening))
    assert told.custody
    assert [kept.case for kept in told.custody.kept] == [1]
    assert [done.kind for done in told.custody.departures] == ["case_opened"]


@pytest.mark.rule(52)
@pytest.mark.slow
def test_case_closed_since_held_at_the_close_though_a_clock_was_set_back() -> None:
    """Entries under such a clock have one time."""
    evening = custody_hall.completed(Evening())
    custody_hall.open_case(evening, evening.who(Role.HALL_MANAGER))
    session = ended(evening)
    early = evening.who(Role.HALL_MANAGER) | {"at": session.opened_at - timedelta(hours=1)}
    closed = custody_hall.close_case(evening, early)
    assert closed.closed_at == session.closed_at
    told = read(session).custody
    assert told
    assert [kept.case for kept in told.kept] == [1]


@pytest.mark.rule(15)
@pytest.mark.rule(45)
@pytest.mark.slow
def test_acta_keeps_a_double_card_once() -> None:
    told = read(ended(both_halves()))
    assert told.custody
    assert len(told.custody.kept) == len({(one.issue, one.card) for one in told.custody.kept})
    first, second = told.games
    assert first.shares == second.shares


@pytest.mark.slow
def test_acta_tells_cash_brought_and_taken_and_what_explains_a_count() -> None:
    evening = Evening().reach("shift")
    manager = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=CASH, reason="Trocos", **manager)
    completed(evening)
    shift, session = evening.shift, evening.session
    tills.close_shift(shift=shift, counted=1, comment="Assalto", **evening.who(Role.CASHIER))
    session = evening.close()
    [till] = read(Session.objects.get(pk=session.pk)).tills
    assert (till.opening_float, till.moved, till.comment) == (FLOAT, CASH, "Assalto")
    assert [(one.amount, one.reason) for one in till.movements] == [(CASH, "Trocos")]
    assert till.closed_by == evening.person(Role.CASHIER).name


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_tells_where_the_clock_went_back() -> None:
    evening = Evening().reach("session")
    back = timezone.now() - timedelta(hours=1)
    sessions.plan_session_end(
        session=evening.session, ends_at=timezone.now() + timedelta(hours=2), reason="Cedo",
        by=evening.person(Role.HALL_MANAGER), at=back,
    )  # fmt: skip
    told = read(ended(completed(evening)))
    assert told.clock
    assert told.clock.source == "server"
    [anomaly] = told.clock.anomalies
    assert anomaly.clock == back.astimezone(anomaly.clock.tzinfo)
    assert anomaly.at > anomaly.clock


@pytest.mark.rule(54)
@pytest.mark.slow
def test_acta_has_headings_in_each_language_authorised() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", languages=["es"])
    told = read(ended(completed(evening)))
    assert told.languages == ("es",)


@pytest.mark.rule(54)
@pytest.mark.slow
def test_acta_of_a_hall_of_another_language_has_portuguese_headings_too() -> None:
    evening = Evening(language="en")
    authorise(evening.hall, reference="2/2026", languages=["es"])
    told = read(ended(completed(evening)))
    assert (told.language, told.languages) == ("en", ("pt", "es"))


@pytest.mark.rule(7)
@pytest.mark.slow
def test_acta_tells_how_the_prizes_were_divided() -> None:
    [game] = read(ended(completed(Evening()))).games
    assert [(one.prize, one.share) for one in game.shares] == [("line", 2_000), ("bingo", 6_000)]
    assert (game.counts, game.figure, game.levels) == (("rows",), None, ())


@pytest.mark.rule(73)
def test_acta_calls_a_figure_as_the_wall_does_with_its_free_centre_or_without() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    bare = patterns.draw(X.cells - SEVENTY_FIVE.free)
    manager, chief = evening.who(Role.HALL_MANAGER), evening.who(Role.TABLE_CHIEF)
    hall_patterns.save(hall=evening.hall, name="Cruz da casa", drawing=bare, **manager)
    games_services.open_game(
        session=evening.session, issue=evening.issue(), pattern=patterns.draw(X.cells), **chief
    )
    game = evening.game
    told = game_queries.figure(game, game_queries.winning_figure(game))
    assert told is not None
    assert told.name == get_hall_state(evening.hall.code).figure == "Cruz da casa"


def test_session_keeps_its_names_through_a_replay() -> None:
    Evening().reach("session")
    entry = JournalEntry.objects.get(kind="session_opened")
    assert (entry.data["hall"], entry.data["licence"]) == ("Sala sala", "1/2026")
    older = {name: told for name, told in entry.data.items() if name not in ("hall", "licence")}
    for data in (entry.data, older):
        state = rules.judge(None, Fact("session_opened", data))
        assert session_state.dump(state)["terms"] == data
