"""A game played again from its journal: the states that were, moment by moment."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from bingo.rules import session_state
from bingo.rules.journal_json_and_chain import dump
from draws.balls import draw
from draws.desks.inspector.replay import build_replay, linked_worths, replay
from draws.games import services as games_services
from halls import tills
from halls.models import CashMovement, JournalEntry, Role
from tests.support import complaints, database, departing_players
from tests.support.evening import FACE, STAGES, Evening
from tests.support.planting import as_owner_of, plant
from tests.support.played_games import both_halves
from tests.support.service_commands.draws import recall_ball
from tests.support.service_commands.prizes import paid


@pytest.mark.rule(61)
@pytest.mark.django_db
@pytest.mark.slow
def test_every_moment_is_as_the_hall_knew_it() -> None:
    evening = Evening()
    known = {}
    for stage in ("prepared", "sold", "drawing", "window", "paying"):
        evening.reach(stage)
        number = JournalEntry.objects.order_by("-number").values_list("number", flat=True)[0]
        known[number] = session_state.load(evening.session.state).game
    found = replay(evening.game)
    assert found.refused is None
    states = {moment.entry.number: moment.known for moment in found.moments}
    assert [states[number] for number in known] == list(known.values())
    assert found.moments[0].entry.kind == "game_opened"
    assert found.balls == tuple(evening.numbers())
    assert len(found.cards) == 6
    assert found.moments[-1].known.gross == 6 * FACE


@pytest.mark.rule(43)
@pytest.mark.django_db
def test_winning_card_lacks_nothing_at_the_end_and_all_at_first() -> None:
    evening = Evening().reach("paying")
    found = replay(evening.game)
    [line, bingo] = found.lacks
    card = found.cards.index((evening.issue().pk, 1))
    assert (line.starts[card], bingo.starts[card]) == (5, 15)
    assert bingo.changes[card] == tuple(range(1, 16))
    assert len(line.changes[card]) == 5


@pytest.mark.rule(57)
@pytest.mark.django_db
def test_ball_taken_back_is_played_too() -> None:
    evening = Evening().reach("drawing")
    recall_ball(evening, evening.who(Role.CALLER))
    again = evening.numbers()[-1]
    draw.announce_ball(game=evening.game, number=again, **evening.who(Role.CALLER))
    found = replay(evening.game)
    assert found.balls[-3:] == (again, -again, again)
    [_line, bingo] = found.lacks
    assert bingo.changes[0][-3:] == (15, -16, 17)
    assert [len(moment.known.balls) for moment in found.moments[-3:]] == [15, 14, 15]


@pytest.mark.rule(15)
@pytest.mark.django_db
@pytest.mark.slow
def test_second_half_is_played_with_the_cards_of_the_first() -> None:
    evening = both_halves()
    found = replay(evening.game)
    assert found.refused is None
    assert found.moments[0].entry.kind == "second_half_opened"
    assert len(found.cards) == 6


@pytest.mark.slow
@pytest.mark.django_db
def test_second_game_begins_where_the_first_left_the_session() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    state = session_state.load(evening.session.state).game
    found = replay(evening.game)
    assert state is not None
    assert dump(found.moments[-1].known) == dump(state)
    assert not found.cards
    # What lies between the two belongs to neither.
    first = replay(evening.session.games.get(number=1))
    assert first.moments[-1].entry.kind == "entry_completed"


@pytest.mark.rule(61)
@pytest.mark.django_db
def test_complaint_about_an_earlier_game_is_its_last_moment_whatever_came_between() -> None:
    evening = Evening().reach("shift")
    for _game in range(2):
        evening.stage = STAGES.index("shift")
        departing_players.voided(evening)
        departing_players.refunds_aside(evening)
        departing_players.complete(evening)
    first = evening.session.games.get(number=1)
    before = replay(first)
    cash = sum(CashMovement.objects.filter(shift=evening.shift).values_list("amount", flat=True))
    tills.close_shift(shift=evening.shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    later = evening.who(Role.TABLE_CHIEF) | {"at": timezone.now() + timedelta(hours=3)}
    complaints.opened(evening, later, game=first, ball=None)
    found = replay(first)
    assert found.refused is None
    *moments, last = found.moments
    assert tuple(moments) == before.moments
    assert (last.entry.kind, last.known) == ("complaint_opened", before.moments[-1].known)
    # The time line is the game's.
    *_steps, before_it, told = build_replay(first, found, linked_worths(found))["steps"]
    assert (told["t"], told["mark"]) == (before_it["t"], "alarm")


@pytest.mark.slow
def test_replay_stops_where_the_rules_no_longer_follow(
    fresh_database: database.FreshDatabase,
) -> None:
    evening = Evening().reach("paying")
    fifth = JournalEntry.objects.filter(kind="ball_announced").order_by("number")[4]
    data = fifth.data | {"count": 7}
    with as_owner_of(fresh_database):
        statement = "UPDATE halls_journalentry SET data = %s WHERE id = %s"
        plant("halls_journalentry", statement, json.dumps(data), fifth.pk)
        found = replay(evening.game)
    assert found.refused == fifth.number
    assert len(found.balls) == 4
    assert found.moments[-1].entry.number == fifth.number - 1
