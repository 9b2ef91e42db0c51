"""Complaints: opened about what was drawn and sold, held, decided by a name, told in the acta (R61 j)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone, translation

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.claims.queries import to_collect
from draws.complaints import services as complaints_services
from draws.custody import custody_list
from draws.models import Complaint, UsedDestruction
from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from draws.record.audit import audit
from halls import sessions
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support import custody_hall
from tests.support.acta_texts import text
from tests.support.complaints import TEXT, decided, opened, with_complaint
from tests.support.departing_players import WINNER, not_fetched, quiet
from tests.support.evening import STAGES, Evening, order, tonight
from tests.support.planting_rows import plant, plant_row
from tests.support.playing import refuses
from tests.support.session_ends import ended

pytestmark = [pytest.mark.django_db, pytest.mark.rule(61)]


@pytest.fixture
def evening() -> Evening:
    """A hall whose window is open: six cards are sold, fifteen balls drawn."""
    return Evening().reach("window")


def chief(evening: Evening) -> dict[str, Any]:
    return evening.who(Role.TABLE_CHIEF)


def manager(evening: Evening) -> dict[str, Any]:
    return evening.who(Role.HALL_MANAGER)


def sound(evening: Evening) -> bool:
    """Whether the audit finds nothing."""
    return audit(Hall.objects.get(pk=evening.hall.pk)) == []


def last() -> JournalEntry:
    return JournalEntry.objects.latest("number")


@pytest.mark.slow
def test_complaint_is_numbered_and_says_what_it_is_about(evening: Evening) -> None:
    opened(evening, chief(evening), text="  Não se\n ouviu ", ball=3, card=2)
    told = {
        "session": 1, "complaint": 1, "text": "Não se ouviu", "game": 1, "ball": 3,
        "issue": evening.issue().pk, "card": 2, "picture": None,
    }  # fmt: skip
    entry = last()
    assert (entry.kind, entry.data, entry.game) == ("complaint_opened", told, 1)
    second = opened(evening, chief(evening), ball=None, card=None)
    assert (second.number, second.ball, second.card, second.picture) == (2, None, None, "")
    assert sound(evening)


@pytest.mark.slow
def test_picture_of_the_ball_goes_with_the_complaint(evening: Evening) -> None:
    ball = evening.game.balls.get(order=3)
    ball.picture = "ab" * 32
    plant_row(ball, "picture")
    one = opened(evening, chief(evening), ball=3)
    assert (one.picture, one.entry.data["picture"]) == ("ab" * 32, "ab" * 32)
    assert opened(evening, chief(evening), ball=None).picture == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "refusal"),
    [
        ({"text": " \n "}, Refusal("text_missing")),
        ({"text": "a" * 501}, Refusal("bad_text", most=500)),
        ({"text": "ok\u202eevil"}, Refusal("bad_text", most=500)),
        ({"text": "\x1b@"}, Refusal("bad_text", most=500)),
        ({"card": 7}, Refusal("not_sold", card=7)),
        ({"card": 0}, Refusal("not_sold", card=0)),
        ({"ball": 0}, Refusal("ball_not_drawn", ball=0, drawn=5)),
        ({"ball": 6}, Refusal("ball_not_drawn", ball=6, drawn=5)),
        ({"ball": -1}, Refusal("ball_not_drawn", ball=-1, drawn=5)),
        ({"game": None}, Refusal("complaint_without_game")),
    ],
)
def test_what_cannot_be_is_refused(
    evening: Evening, named: dict[str, Any], refusal: Refusal
) -> None:
    number = last().number
    drawn = evening.game.balls.count()
    if refusal.code == "ball_not_drawn":
        named = {"ball": drawn + 1} if named["ball"] == 6 else named
        refusal = Refusal("ball_not_drawn", ball=named["ball"], drawn=drawn)
    with refuses(refusal):
        opened(evening, chief(evening), **named)
    assert (last().number, Complaint.objects.count()) == (number, 0)


@pytest.mark.slow
def test_card_of_another_issue_was_not_sold_and_another_halls_game_is_unknown(
    evening: Evening,
) -> None:
    with refuses(Refusal("not_sold", card=2)):
        opened(evening, chief(evening), issue=evening.issue(2).pk)
    other = Evening("outra").reach("window")
    with refuses(Refusal("unknown_game")):
        opened(evening, chief(evening), game=other.game)
    with refuses(Refusal("not_allowed", roles=["hall_manager", "table_chief"])):
        opened(evening, chief(other))
    with refuses(Refusal("not_allowed", roles=["hall_manager", "table_chief"])):
        opened(evening, evening.who(Role.CALLER))


@pytest.mark.slow
def test_recalled_ball_leaves_its_complaint_as_it_was() -> None:
    evening = Evening().reach("drawing")
    place = evening.game.balls.count()
    opened(evening, chief(evening), ball=place)
    draw.recall_ball(game=evening.game, number=evening.numbers()[-1], **evening.who(Role.CALLER))
    assert complaints_services.still_open(evening.hall).get().ball == place
    with refuses(Refusal("ball_not_drawn", ball=place, drawn=place - 1)):
        opened(evening, chief(evening), ball=place)
    assert sound(evening)


@pytest.mark.slow
def test_slip_names_no_ball_announced_since_though_a_clock_was_set_back() -> None:
    """Entries under such a clock have one time."""
    evening = Evening().reach("drawing")
    place, number = evening.game.balls.count(), evening.numbers()[-1]
    early = {"at": timezone.now() - timedelta(hours=1)}
    one = opened(evening, chief(evening) | early, ball=place)
    assert complaints_services.get_complaint_slip(one).number == number
    caller = evening.who(Role.CALLER) | early
    draw.recall_ball(game=evening.game, number=number, **caller)
    other = next(n for n in range(1, 91) if n not in evening.numbers())
    ball = draw.announce_ball(game=evening.game, number=other, **caller)
    assert (ball.order, ball.at) == (place, one.opened_at)
    assert complaints_services.get_complaint_slip(one).number is None


@pytest.mark.slow
def test_one_form_sent_twice_opens_one_complaint_and_decides_it_once(evening: Evening) -> None:
    who = chief(evening) | {"key": uuid4()}
    assert opened(evening, who) == opened(evening, who)
    with refuses(Refusal("key_reused")):
        opened(evening, who, text="Outra")
    who = manager(evening) | {"key": uuid4()}
    assert decided(evening, who) == decided(evening, who)
    assert JournalEntry.objects.filter(kind="complaint_decided").count() == 1
    with refuses(Refusal("key_reused")):
        decided(evening, who, decision="upheld")


@pytest.mark.slow
def test_decision_has_its_author_and_is_final(evening: Evening) -> None:
    with_complaint(evening)
    for named, code in (
        ({"text": " "}, "reason_missing"),
        ({"decision": "perhaps"}, "unknown_decision"),
        ({"text": "a" * 501}, "bad_text"),
    ):
        with pytest.raises(Refusal, match=code):
            decided(evening, manager(evening), **named)
    one = decided(evening, manager(evening))
    told = {"session": 1, "complaint": 1, "decision": "rejected", "text": one.reason}
    assert (last().kind, last().data) == ("complaint_decided", told)
    assert complaints_services.decided_by(one) == evening.person(Role.HALL_MANAGER).name
    with refuses(Refusal("complaint_decided", complaint=1)):
        decided(evening, chief(evening), decision="upheld")
    with pytest.raises(Refusal, match="not_allowed"):
        decided(evening, evening.who(Role.INSPECTOR))
    assert sound(evening)


@pytest.mark.slow
def test_hall_may_want_two_persons_for_a_decision(evening: Evening) -> None:
    set_policy(hall=evening.hall, four_eyes=["complaint_decided"], **manager(evening))
    with_complaint(evening)
    with refuses(Refusal("second_person_needed", command="complaint_decided")):
        decided(evening, manager(evening))
    with refuses(Refusal("witness_same_person")):
        decided(evening, manager(evening), witness=evening.person(Role.HALL_MANAGER))
    second = evening.person(Role.TABLE_CHIEF)
    one = decided(evening, manager(evening), witness=second)
    assert last().data["witness"] == second.username
    assert complaints_services.decided_by(one).endswith(second.name)
    assert sound(evening)


@pytest.mark.slow
def test_session_closes_with_an_open_complaint_which_is_decided_later(evening: Evening) -> None:
    opened(evening, chief(evening), card=None)
    opened(evening, chief(evening), text="Som fraco", ball=None, card=None)
    complaints_services.decide(
        complaint=Complaint.objects.get(number=1), decision="upheld", text="Repetida",
        **chief(evening),
    )  # fmt: skip
    custody_hall.completed(evening)
    session = ended(evening)
    decided(evening, manager(evening))
    assert (last().session, last().data["session"]) == (None, 1)
    with translation.override("en"):
        first, second = [
            note
            for note in acta_queries.values(session, made_at=timezone.now()).notes
            if note.kind == "complaint"
        ]
    name = evening.person(Role.TABLE_CHIEF).name
    assert first.text == f"complaint 1 · ball no. 3: {TEXT} — Upheld: Repetida (decided by {name})"
    assert second.text == "complaint 2: Som fraco — open when the session closed"
    assert (first.game, first.by) == (1, name)
    assert (first.said, first.ball, first.number) == (TEXT, 3, 1)
    assert (first.decision, first.decided_by, first.witness) == ("Upheld: Repetida", name, "")
    assert first.decided_at
    # What was decided once the session had closed is no part of its acta.
    assert (second.decision, second.decided_by) == ("open when the session closed", "")
    assert second.decided_at is None
    assert not complaints_services.still_open(evening.hall).exists()
    with refuses(Refusal("session_closed")):
        complaints_services.open_complaint(session=session, text="Tarde", **manager(evening))
    assert sound(evening)


@pytest.mark.slow
def test_decision_after_the_close_stands_in_the_acta_of_the_next_session(evening: Evening) -> None:
    opened(evening, chief(evening), card=None)
    custody_hall.completed(evening)
    ended(evening)
    decided(evening, manager(evening), decision="upheld", text="Repetida")
    evening.stage = STAGES.index("none")
    later = ended(evening.reach("shift"))
    with translation.override("en"):
        values = acta_queries.values(later, made_at=timezone.now())
        told = text(document.draw(values))
    [note] = [note for note in values.notes if note.kind == "complaint"]
    assert (note.session, note.number, note.game, note.at) == (1, 1, None, note.decided_at)
    assert (note.decision, note.decided_by) == (
        "Upheld: Repetida", evening.person(Role.HALL_MANAGER).name,
    )  # fmt: skip
    assert note.text.startswith(f"Session 1, game 1 · complaint 1 · ball no. 3: {TEXT} — Upheld")
    assert f"No. 1/1, ball no. 3: {TEXT}" in told
    # It is told once.
    evening.stage = STAGES.index("none")
    third = ended(evening.reach("shift"))
    assert not acta_queries.values(third, made_at=timezone.now()).notes


@pytest.mark.slow
@pytest.mark.rule(51)
def test_used_card_of_an_open_complaint_is_not_destroyed(evening: Evening) -> None:
    opened(evening, chief(evening), card=5)
    custody_hall.completed(evening)
    held = Refusal("held_by_complaint", card=5, complaint=1, session=1)
    with refuses(held):
        custody_hall.destroy_used(evening, manager(evening))
    decided(evening, manager(evening))
    custody_hall.destroy_used(evening, manager(evening))
    assert UsedDestruction.objects.get().cards == 5
    assert sound(evening)


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_cards_held_for_long_are_noted_once_the_complaint_is_decided(
    evening: Evening,
) -> None:
    opened(evening, chief(evening), card=5)
    custody_hall.completed(evening)
    game = evening.game
    ended(evening)
    for _ in range(custody_list.SESSIONS):
        sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(), **manager(evening)
        )
        evening.close()
    assert [one.game for one in to_collect(evening.hall, username="")] == [game]
    decided(evening, manager(evening))
    page = evening.at("manager")
    assert [one.game for one in page.get("/custody/").context["to_note"]] == [game]
    answer = order(page, "custody", "destroy-used", game=game.pk, cards=5, note="")
    assert answer.status_code == 302, answer.content.decode()
    assert custody_list.used(evening.hall) == []
    assert to_collect(evening.hall, username="") == []


@pytest.mark.rule(51)
@pytest.mark.slow
def test_card_set_aside_by_a_case_lets_the_others_go(evening: Evening) -> None:
    opened(evening, chief(evening), card=5)
    custody_hall.completed(evening)
    custody_hall.open_case(evening, manager(evening), cards=[custody_hall.card(evening, 5)])
    custody_hall.destroy_used(evening, manager(evening), cards=4)
    custody_hall.close_case(evening, manager(evening))
    ended(evening)
    # The case is over, the complaint is not.
    with refuses(Refusal("held_by_complaint", card=5, complaint=1, session=1)):
        custody_hall.destroy(
            evening,
            manager(evening) | {"at": custody_hall.after(9)},
            cards=[custody_hall.card(evening, 5)],
        )
    assert sound(evening)


@pytest.mark.rule(51)
@pytest.mark.slow
def test_complaint_about_a_winning_card_that_nobody_fetched_lets_the_used_ones_go() -> None:
    evening = quiet()
    not_fetched(evening, reason="altered")
    opened(evening, chief(evening), card=WINNER)
    custody_hall.destroy_used(evening, manager(evening))
    assert sound(evening)


@pytest.mark.rule(52)
@pytest.mark.slow
def test_winning_card_of_an_open_complaint_is_kept_beyond_its_days(evening: Evening) -> None:
    opened(evening, chief(evening), card=custody_hall.WINNER)
    custody_hall.completed(evening)
    ended(evening)
    later = custody_hall.after(custody_hall.NINTH)
    assert custody_list.due_today(evening.hall, at=later) == 0
    shelf = custody_list.list_kept_cards(evening.hall, at=later)
    assert shelf.due == []
    assert [row.complaint for _day, rows in shelf.waiting for row in rows] == [(1, 1)]
    with refuses(Refusal("held_by_complaint", card=custody_hall.WINNER, complaint=1, session=1)):
        custody_hall.destroy(evening, manager(evening) | {"at": later})
    decided(evening, manager(evening))
    assert custody_list.due_today(evening.hall, at=later) == 1
    custody_hall.destroy(evening, manager(evening) | {"at": later})
    assert sound(evening)


def test_complaint_before_the_first_game_is_about_none() -> None:
    evening = Evening().reach("session")
    complaints_services.open_complaint(session=evening.session, text="Frio", **chief(evening))
    assert (last().data["game"], last().game) == (None, None)
    assert sound(evening)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Nada"}, {"card": 3}, {"ball": 2}, {"number": 2}, {"picture": "ab" * 32},
        {"decision": "upheld"}, {"reason": "Outra"},
    ],
    ids=str,
)  # fmt: skip
def test_audit_finds_a_row_that_was_changed(evening: Evening, changed: dict[str, Any]) -> None:
    with_complaint(evening)
    decided(evening, manager(evening))
    plant(Complaint.objects.all(), **changed)
    codes = {finding.code for finding in audit(Hall.objects.get(pk=evening.hall.pk))}
    assert codes == {"complaint_differs"}


@pytest.mark.slow
def test_old_notes_of_complaints_are_still_told(evening: Evening) -> None:
    sessions.record_note(
        session=evening.session, category="complaint", text="Antiga", decision="R47",
        **chief(evening),
    )  # fmt: skip
    custody_hall.completed(evening)
    session = ended(evening)
    texts = [note.text for note in acta_queries.values(session, made_at=timezone.now()).notes]
    assert "Antiga — R47" in texts
    assert sound(evening)
