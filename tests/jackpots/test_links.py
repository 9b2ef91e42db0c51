"""One jackpot of several halls: who takes part, what its money does, what is refused (R9-R12)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.record.audit import audit, jackpots
from halls import jackpots as halls_jackpots
from halls import sessions
from halls.models import Hall, JournalEntry, Link, LinkMember, LinkMovement, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, authorise, tonight, within
from tests.support.linked_jackpots import BASE, CODE, TERMS, fund, linked, take_part, too_late
from tests.support.planting_rows import plant
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db

ACCRUAL = 6 * 200_00 * 80 // 100 * 300 // 10_000  # of six cards at 200


def held() -> int:
    return Link.objects.get().balance


def waiting() -> dict[str, int]:
    return dict(LinkMember.objects.values_list("hall__code", "waiting"))


def told() -> list[tuple[int, str, str, int, int]]:
    return list(
        LinkMovement.objects.values_list("number", "hall__code", "kind", "amount", "balance")
    )


def whole(*evenings: Evening) -> bool:
    return not [one for each in evenings for one in audit(Hall.objects.get(pk=each.hall.pk))]


@pytest.mark.rule(10)
@pytest.mark.rule(11)
@pytest.mark.slow
def test_two_halls_add_to_one_jackpot_and_one_wins_what_does_not_wait_in_the_other() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    here.reach("closed")
    there.reach("closed")
    assert held() == BASE + 2 * ACCRUAL
    assert waiting() == {"a": ACCRUAL, "b": ACCRUAL}
    there.reach("awarded")
    won = JournalEntry.objects.get(hall=there.hall, kind="window_closed").data
    assert won["linked"] == BASE + ACCRUAL
    assert [one["amount"] for one in won["awards"] if one["combination"] == "jackpot"] == [
        BASE + ACCRUAL
    ]
    here.reach("awarded")
    # The later one wins the restored base and what its own players have put in.
    assert JournalEntry.objects.get(hall=here.hall, kind="window_closed").data["linked"] == (
        BASE + ACCRUAL
    )
    assert told() == [
        (1, "a", "link_funded", BASE, BASE),
        (2, "a", "accrued", ACCRUAL, BASE + ACCRUAL),
        (3, "b", "accrued", ACCRUAL, BASE + 2 * ACCRUAL),
        (4, "b", "awarded", -BASE - ACCRUAL, ACCRUAL),
        (5, "b", "restored", BASE, BASE + ACCRUAL),
        (6, "a", "awarded", -BASE - ACCRUAL, 0),
        (7, "a", "restored", BASE, BASE),
    ]
    assert waiting() == {"a": 0, "b": 0}
    assert {hall.jackpot_balance for hall in Hall.objects.all()} == {0}
    assert whole(here, there)


@pytest.mark.rule(57)
@pytest.mark.slow
def test_void_after_the_other_hall_has_won_finds_what_it_takes_back() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    here.reach("closed")
    there.reach("awarded")
    assert held() == BASE + ACCRUAL
    void(here)
    assert held() == BASE
    assert told()[-1] == (6, "a", "reversed", -ACCRUAL, BASE)
    assert whole(here, there)


def void(evening: Evening) -> None:
    games_services.void(
        game=evening.game, cause="other", reason="announced wrongly",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip


@pytest.mark.rule(9)
@pytest.mark.slow
def test_bingo_that_came_too_late_leaves_its_part_to_all_halls() -> None:
    here, there = too_late("a"), too_late("b")
    fund(here)
    here.reach("awarded")
    assert "linked" not in JournalEntry.objects.get(hall=here.hall, kind="window_closed").data
    assert told()[-1] == (3, "a", "settled", 0, BASE + ACCRUAL)
    assert waiting() == {"a": 0, "b": 0}
    # What the first hall's game has added is anybody's now.
    there.reach("selling")
    assert board("b")[1]["jackpots"][0]["amount"] == board("a")[1]["jackpots"][0]["amount"]
    assert whole(here, there)


@pytest.mark.slow
@pytest.mark.rule(29)
def test_board_shows_what_the_other_hall_has_added_and_that_it_was_won_there() -> None:
    here, there = too_late("a"), too_late("b")
    fund(here)
    there.reach("selling")
    before, first = board("b")
    here.reach("closed")
    waits, while_it_runs = board("b")
    # It can still be voided: whoever wins here would not have it.
    assert while_it_runs["jackpots"] == first["jackpots"]
    assert waits > before
    here.reach("awarded")
    after, shown = board("b")
    assert shown["jackpots"] != first["jackpots"]
    assert after > waits
    assert shown["jackpots"][0]["amount"] == board("a")[1]["jackpots"][0]["amount"]


@pytest.mark.slow
def test_window_closed_again_with_its_key_gives_what_it_gave() -> None:
    here = linked("a")
    fund(here)
    here.reach("window")
    who: dict[str, Any] = here.who(Role.TABLE_CHIEF) | {"key": uuid4()}
    first = claims_services.close_window(game=here.game, **who)
    again = claims_services.close_window(game=here.game, **who)
    assert [one.pk for one in first] == [one.pk for one in again]
    assert len(told()) == 4
    assert held() == BASE


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("link_limits_differ", {"limits": within(39)}),
        ("link_limits_differ", {"base": BASE + 1}),
        ("bad_link_code", {"code": "Ilhas!"}),
        ("bad_link_code", {"code": ""}),
        ("bad_link_code", {"code": "x" * 41}),
        ("bad_link_name", {"name": " "}),
        ("bad_link_name", {"name": "x" * 61}),
        ("bad_link_name", {"name": "a\u202eb"}),
        ("jackpot_limit_missing", {"limits": []}),
        ("jackpot_limit_out_of_range", {"limits": within(90)}),
        ("bad_amount", {"base": -1}),
        ("bad_amount", {"base": 2**53}),
        ("paper_missing", {"reference": " "}),
        ("reference_too_long", {"reference": "x" * 201}),
    ],
)
@pytest.mark.rule(12)
def test_hall_takes_part_on_the_links_terms_only(code: str, changed: dict[str, Any]) -> None:
    take_part(Evening("a"))
    there = Evening("b")
    with refuses(code):
        take_part(there, **changed)
    assert not JournalEntry.objects.filter(kind="jackpot_linked", hall=there.hall).exists()
    take_part(there)
    with refuses("link_joined"):
        take_part(there)


@pytest.mark.parametrize("changed", [{"currency": "EUR"}, {"rulebook": "spain-1979"}])
def test_hall_of_other_money_or_rules_takes_no_part(changed: dict[str, str]) -> None:
    limits = within(40, formats=[90])
    take_part(Evening("a"), limits=limits)
    there = Evening("b")
    plant(Hall.objects.filter(pk=there.hall.pk), **changed)
    with refuses("other_money_or_rules"):
        take_part(there, limits=limits)


@pytest.mark.rule(9)
def test_link_is_authorised_and_played_for_on_its_own_terms_only() -> None:
    here = Evening("a")
    terms: dict[str, Any] = {"reference": "2/2026", "jackpot_terms": {"link": CODE}}
    with refuses("unknown_link"):
        authorise(here.hall, **terms)
    take_part(here)
    with refuses("link_limits_differ"):
        authorise(here.hall, **terms, jackpot_base=BASE - 1)
    with refuses("link_limits_differ"):
        authorise(here.hall, **(terms | {"jackpot_terms": {"link": CODE, "limits": within(39)}}))
    rising = {"schedule": {"every": 1, "by": 1}, "limits": within(40, most=50)}
    for beyond in ({"ceiling": 10**9}, rising):
        with refuses("bad_link"):
            authorise(here.hall, reference="2/2026", jackpot_terms={"link": CODE, **beyond})
    with refuses("one_link_only"):
        authorise(
            here.hall, **terms, jackpot_rate=200,
            jackpot_levels=[{"rate": 100, "limits": within(40), "base": BASE, "link": CODE}],
        )  # fmt: skip
    authorise(here.hall, **terms)
    # The tests' hall holds money of a jackpot of its own: nobody lets it vanish behind the link.
    with refuses("level_holds_money"):
        sessions.open_session(
            hall=here.hall, checked=True, ends_at=tonight(), **here.who(Role.HALL_MANAGER)
        )


@pytest.mark.slow
def test_link_is_one_level_beside_the_halls_own() -> None:
    here = Evening("a")
    take_part(here)
    authorise(
        here.hall, reference="2/2026", jackpot_rate=200,
        jackpot_levels=[{"rate": 100, "limits": TERMS["limits"], "base": BASE, "link": CODE}],
    )  # fmt: skip
    fund(here)
    here.reach("awarded")
    won = JournalEntry.objects.get(hall=here.hall, kind="window_closed").data
    assert won["linked"] == BASE + ACCRUAL // 3
    assert {one["combination"]: one["amount"] for one in won["awards"]}["jackpot_2"] == (
        won["linked"]
    )
    assert Hall.objects.get().level_balances == [0]
    assert whole(here)


@pytest.mark.rule(12)
@pytest.mark.slow
def test_link_ends_as_the_regulator_says_and_nobody_plays_for_it_any_more() -> None:
    here, there = linked("a"), linked("b")
    fund(here)
    there.reach("session")
    asked: dict[str, Any] = {"hall": here.hall, "link": CODE, "reference": "9/2026"}
    who = here.who(Role.HALL_MANAGER)
    with refuses("link_in_play"):
        halls_jackpots.end_jackpot(to="Cruz Vermelha", **asked, **who)
    there.close()
    for code, to in (("receiver_missing", " "), ("reference_too_long", "x" * 201)):
        with refuses(code):
            halls_jackpots.end_jackpot(to=to, **asked, **who)
    halls_jackpots.end_jackpot(to="Cruz Vermelha", **asked, **who)
    assert held() == 0
    with refuses("link_over"):
        halls_jackpots.end_jackpot(to="Cruz Vermelha", **asked, **who)
    with refuses("link_over"):
        fund(there)
    with refuses("link_over"):
        sessions.open_session(
            hall=there.hall, checked=True, ends_at=tonight(), **there.who(Role.HALL_MANAGER)
        )
    assert whole(here, there)


@pytest.mark.rule(9)
def test_link_that_is_a_second_level_is_not_ended_while_a_session_plays_for_it() -> None:
    here = Evening()
    take_part(here)
    level = {"rate": 100, "limits": TERMS["limits"], "base": BASE, "link": CODE}
    authorise(here.hall, reference="2/2026", jackpot_rate=200, jackpot_levels=[level])
    fund(here)
    here.reach("session")
    with refuses(Refusal("link_in_play", hall=here.hall.name)):
        halls_jackpots.end_jackpot(
            hall=here.hall, link=CODE, to="Cruz Vermelha", reference="9/2026",
            **here.who(Role.HALL_MANAGER),
        )  # fmt: skip


@pytest.mark.rule(10)
@pytest.mark.slow
def test_link_moves_to_a_halls_own_jackpot_in_both_journals_and_ends() -> None:
    here, there, other = linked("a"), linked("b"), Evening("c")
    fund(here)
    asked: dict[str, Any] = {
        "hall": here.hall,
        "link": CODE,
        "to": other.hall,
        "reference": "9/2026",
    }
    who = here.who(Role.HALL_MANAGER)
    there.reach("session")
    with refuses("link_in_play"):
        halls_jackpots.move_jackpot(**asked, **who)
    there.close()
    other.reach("session")
    with refuses("jackpot_in_play"):
        halls_jackpots.move_jackpot(**asked, **who)
    other.close()
    for code, changed in (
        ("unknown_level", {"to_level": 3}),
        ("paper_missing", {"reference": ""}),
        ("unknown_link", {"hall": other.hall} | other.who(Role.HALL_MANAGER)),
    ):
        with refuses(code):
            halls_jackpots.move_jackpot(**(asked | who | changed))
    before = Hall.objects.get(code="c").jackpot_balance
    halls_jackpots.move_jackpot(**asked, **who)
    assert Hall.objects.get(code="c").jackpot_balance == before + BASE
    assert (held(), told()[-1][2:4]) == (0, ("link_moved", -BASE))
    with refuses("link_over"):
        fund(there)
    assert jackpots.audit(Link.objects.get()) == []
    assert whole(here, there, other)


@pytest.mark.rule(10)
def test_link_does_not_move_to_a_hall_of_other_money() -> None:
    here, other = linked("a"), Evening("c")
    fund(here)
    plant(Hall.objects.filter(code="c"), currency="EUR")
    with refuses("other_money_or_rules"):
        halls_jackpots.move_jackpot(
            hall=here.hall, link=CODE, to=other.hall, reference="9/2026",
            **here.who(Role.HALL_MANAGER),
        )  # fmt: skip
    assert held() == BASE


@pytest.mark.rule(6)
@pytest.mark.slow
def test_what_a_halls_smallest_coin_cannot_pay_stays_in_the_link() -> None:
    here, there = linked("a"), linked("b")
    set_policy(hall=there.hall, cash_step=35_00, **there.who(Role.HALL_MANAGER))
    fund(here)
    there.reach("awarded")
    won = JournalEntry.objects.get(hall=there.hall, kind="window_closed").data
    paid = sum(one["amount"] for one in won["awards"] if one["combination"] == "jackpot")
    left = (BASE + ACCRUAL) % 35_00
    assert left
    assert (won["linked"], paid) == (BASE + ACCRUAL, BASE + ACCRUAL - left)
    assert told()[-3:] == [
        (3, "b", "awarded", -BASE - ACCRUAL, 0),
        (4, "b", "left_over", left, left),
        (5, "b", "restored", BASE, BASE + left),
    ]
    assert jackpots.audit(Link.objects.get()) == []
    assert whole(here, there)


@pytest.mark.slow
def test_hall_may_want_two_persons_for_the_links_money() -> None:
    here = linked("a")
    kinds = ["link_funded", "link_moved", "link_ended"]
    set_policy(hall=here.hall, four_eyes=kinds, **here.who(Role.HALL_MANAGER))
    chief = here.person(Role.TABLE_CHIEF)
    with refuses("second_person_needed"):
        fund(here)
    with refuses("witness_same_person"):
        fund(here, witness=here.person(Role.HALL_MANAGER))
    assert fund(here, witness=chief).data["witness"] == chief.username
    asked: dict[str, Any] = {"hall": here.hall, "link": CODE, "reference": "9/2026"}
    given: dict[Any, Any] = {
        halls_jackpots.end_jackpot: "Caritas",
        halls_jackpots.move_jackpot: here.hall,
    }
    for service, to in given.items():
        with refuses("second_person_needed"):
            service(**asked, to=to, **here.who(Role.HALL_MANAGER))
    halls_jackpots.move_jackpot(**asked, to=here.hall, witness=chief, **here.who(Role.HALL_MANAGER))
    assert whole(here)


@pytest.mark.parametrize("amount", [0, -1, 2**53])
def test_money_put_in_is_an_amount(amount: int) -> None:
    here = linked("a")
    with refuses("bad_amount"):
        fund(here, amount=amount)


def test_hall_that_takes_no_part_adds_nothing() -> None:
    linked("a")
    there = Evening("b")
    with refuses("unknown_link"):
        fund(there)
