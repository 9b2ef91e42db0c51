"""Used cards are destroyed after their game, winning ones after eight days unless a case holds them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from bingo.rules.unclaimed import REFUSED
from draws.custody import custody_list
from draws.custody import queries as custody_queries
from draws.custody import services as custody_services
from draws.custody import views as custody_views
from draws.games import services as games_services
from draws.models import Departure, Payment, SetAside, UnclaimedItem
from draws.record.acta.unclaimed_and_jackpot_queries import custody_values
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.complaints import decided, opened
from tests.support.custody_hall import (
    NINTH,
    Later,
    after,
    card,
    close_case,
    completed,
    days_ago,
    destroy,
    destroy_used,
    hand_over,
    open_case,
    over,
    sealed,
    set_aside_and_free,
    with_case,
)
from tests.support.departing_players import not_fetched, pay, quiet, refunds_aside, set_aside
from tests.support.evening import Evening, spanish
from tests.support.played_games import both_halves, halves_of
from tests.support.playing import refuses
from tests.support.service_commands.games import double_cards, void
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """A hall."""
    return Evening()


def manager(evening: Evening, days: float = 0) -> dict[str, Any]:
    """The hall manager, some days from now."""
    return evening.who(Role.HALL_MANAGER) | {"at": after(days)}


def lies_there(evening: Evening) -> list[tuple[int, int]]:
    """The shelf: winning cards, then those set aside."""
    rows: list[Payment | SetAside]
    rows = [*custody_queries.paid(evening.hall), *custody_queries.aside(evening.hall)]
    return [(row.issue_id, row.card) for row in rows]


def due(evening: Evening, days: float) -> list[int]:
    """The cards that may be destroyed some days from now."""
    on = evening.hall.day(after(days))
    rows: list[Payment | SetAside]
    rows = [*custody_queries.due(evening.hall, on=on), *custody_queries.aside_due(evening.hall)]
    return [row.card for row in rows]


def sound(evening: Evening) -> bool:
    """Whether the audit finds nothing."""
    return audit(Hall.objects.get(pk=evening.hall.pk)) == []


@pytest.mark.slow
@pytest.mark.rule(52)
def test_winning_card_lies_on_the_shelf_from_its_payment_on(evening: Evening) -> None:
    evening.reach("paying")
    assert lies_there(evening) == []
    completed(evening)
    assert lies_there(evening) == [card(evening)]


@pytest.mark.rule(52)
@pytest.mark.slow
def test_winning_card_is_destroyed_from_the_ninth_day_on_before_two_persons(
    evening: Evening,
) -> None:
    over(evening)
    paid = Payment.objects.get()
    first = evening.hall.day(paid.at) + timedelta(days=NINTH)
    early = Refusal("kept_too_short", card=1, day=first.isoformat())
    for days in (0, 1, NINTH - 1):
        assert due(evening, days) == []
        with refuses(early):
            destroy(evening, manager(evening, days))
    assert due(evening, NINTH) == [1]
    with refuses(Refusal("second_person_needed", command="winning_cards_destroyed")):
        destroy(evening, manager(evening, NINTH), witness=None)
    with refuses("witness_same_person"):
        destroy(evening, manager(evening, NINTH), witness=evening.person(Role.HALL_MANAGER))
    with refuses("witness_not_allowed"):
        destroy(evening, manager(evening, NINTH), witness=evening.person(Role.CASHIER))
    entry = destroy(evening, manager(evening, NINTH))
    played = evening.hall.day(evening.game.opened_at).isoformat()
    told = {
        "session": 1, "game": 1, "issue": evening.issue().pk, "card": 1, "day": played,
        "paid": evening.hall.day(paid.at).isoformat(),
    }  # fmt: skip
    chief = evening.person(Role.TABLE_CHIEF).username
    assert entry.data == {"cards": [told], "witness": chief}
    assert (lies_there(evening), due(evening, NINTH), sound(evening)) == ([], [], True)
    with refuses(Refusal("destroyed_already", card=1)):
        destroy(evening, manager(evening, NINTH))


@pytest.mark.slow
def test_cards_unticked_before_a_destruction_that_was_refused_stay_so(evening: Evening) -> None:
    over(evening)
    issue, number = card(evening)
    order = {"key": str(uuid4()), "witness_username": "mesa", "witness_password": "x"}
    box = f'value="{issue}-{number}"\\s+checked'
    with days_ago(-20):
        client = evening.at("manager")
        assert re.search(box, client.get("/custody/").content.decode())
        for sent, ticked in ({}, False), ({"card": f"{issue}-{number}"}, True):
            refused = client.post("/custody/do/destroy/", order | sent)
            assert refused.status_code == 409
            assert bool(re.search(box, refused.content.decode())) is ticked


@pytest.mark.rule(52)
@pytest.mark.slow
def test_nothing_and_what_never_lay_there_is_not_destroyed(evening: Evening) -> None:
    over(evening)
    other = Evening("norte")
    over(other)
    with refuses("nothing_to_destroy"):
        destroy(evening, manager(evening, NINTH), cards=[])
    for asked in (card(evening, 2), card(other), (2**31 - 1, 1)):
        with refuses(Refusal("not_on_shelf", card=asked[1])):
            destroy(evening, manager(evening, NINTH), cards=[card(evening), asked])
    with refuses("not_allowed"):
        destroy(evening, manager(other, NINTH))


@pytest.mark.rule(52)
@pytest.mark.slow
def test_open_case_holds_the_cards_of_its_game_and_of_no_other(evening: Evening) -> None:
    over(evening)
    first = evening.game
    later = Later(hall=evening.hall)
    over(later)
    open_case(evening, manager(evening))
    held = card(later)
    assert due(evening, NINTH) == [1]
    with refuses(Refusal("held_by_case", card=1, case=1)):
        destroy(evening, manager(evening, NINTH), cards=[held])
    destroy(evening, manager(evening, NINTH))
    assert lies_there(evening) == [held]
    assert Departure.objects.get().entry.data["cards"][0]["session"] == first.session.number
    close_case(evening, manager(evening, NINTH))
    with refuses(Refusal("case_closed", case=1)):
        close_case(evening, manager(evening, NINTH))
    destroy(evening, manager(evening, NINTH), cards=[held])
    assert (lies_there(evening), sound(evening)) == ([], True)


@pytest.mark.slow
def test_records_of_long_ago_are_on_further_pages(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_aside_and_free(evening)
    entries = [destroy(evening, manager(evening), cards=[card(evening, n)]) for n in (5, 6)]
    monkeypatch.setattr(custody_views, "SHOWN", 1)
    client = evening.at("manager")
    for page, entry in ((1, entries[1]), (2, entries[0])):
        shown = client.get("/custody/", {"page": page}).content.decode()
        assert re.findall(r"/custody/([0-9]+)\.pdf", shown) == [str(entry.number)]
        assert f'href="?page={3 - page}' in shown


@pytest.mark.slow
@pytest.mark.rule(51)
def test_case_lists_its_cards_however_many_lie_there_longer(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    over(evening)
    later = Later(hall=evening.hall)
    over(later)
    open_case(evening, manager(evening))
    monkeypatch.setattr(custody_list, "LISTED", 1)
    shelf = custody_list.list_kept_cards(evening.hall, at=after(NINTH))
    assert [row.kept.key for row in shelf.held[0].rows] == [card(later)]
    assert ([row.kept.card for row in shelf.due], shelf.cards) == ([1], 2)
    assert later.issue() in custody_list.issues(evening.hall)


@pytest.mark.slow
@pytest.mark.rule(51)
def test_evidence_goes_to_the_regulator_with_the_sealed_acta(evening: Evening) -> None:
    session = over(evening)
    open_case(evening, manager(evening))
    with refuses(Refusal("acta_not_sealed", session=1)):
        hand_over(evening, manager(evening))
    acta = sealed(session)
    with refuses("recipient_missing"):
        hand_over(evening, manager(evening), to=" ")
    with refuses(Refusal("not_on_shelf", card=2)):
        hand_over(evening, manager(evening), number=2)
    entry = hand_over(evening, manager(evening))
    assert (entry.data["acta"], entry.data["to"], entry.data["case"]) == (acta.digest, "IGJ", 1)
    assert (lies_there(evening), sound(evening)) == ([], True)
    with refuses(Refusal("handed_over_already", card=1)):
        hand_over(evening, manager(evening))
    close_case(evening, manager(evening))
    with refuses(Refusal("case_closed", case=1)):
        hand_over(evening, manager(evening))
    with refuses(Refusal("handed_over_already", card=1)):
        destroy(evening, manager(evening, NINTH))


@pytest.mark.slow
@pytest.mark.rule(51)
def test_only_cards_of_the_case_are_handed_over_with_its_acta(evening: Evening) -> None:
    sealed(over(evening))
    over(Later(hall=evening.hall))
    open_case(evening, manager(evening))
    sealed(evening.game.session)
    with refuses(Refusal("card_of_other_game", card=1, case=1)):
        hand_over(evening, manager(evening))


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_cards_are_destroyed_once_after_their_game_and_counted(evening: Evening) -> None:
    evening.reach("paying")
    with refuses(Refusal("game_not_over", game=1)):
        destroy_used(evening, manager(evening))
    completed(evening)
    for wrong in (6, -1):
        with refuses(Refusal("bad_count", most=5)):
            destroy_used(evening, manager(evening), cards=wrong)
    done = destroy_used(evening, manager(evening), cards=4, note="Um foi levado")
    assert (done.cards, done.missing) == (4, 1)
    expected = {"session": 1, "game": 1, "cards": 4, "missing": 1, "note": "Um foi levado"}
    assert done.entry.data == expected
    with refuses(Refusal("used_destroyed_already", game=1)):
        destroy_used(evening, manager(evening))
    assert sound(evening)


@pytest.mark.rule(15, 51)
@pytest.mark.slow
def test_double_cards_are_used_up_with_their_second_game() -> None:
    evening = both_halves()
    first = evening.game.first_half
    assert first is not None
    with refuses(Refusal("played_on", game=1, next=2)):
        custody_services.destroy_used(game=first, cards=1, **manager(evening))
    assert destroy_used(evening, manager(evening)).missing == 0
    ended(evening)
    custody_services.open_case(game=first, reference="1", reason="Queixa", **manager(evening))
    with refuses("held_by_case"):
        destroy(evening, manager(evening, NINTH))
    assert due(evening, NINTH) == []
    close_case(evening, manager(evening))
    assert due(evening, NINTH) == [1]
    destroy(evening, manager(evening, NINTH))
    assert sound(evening)


@pytest.mark.rule(15, 52)
@pytest.mark.slow
def test_case_about_the_second_game_of_double_cards_holds_the_card_that_the_first_one_paid() -> (
    None
):
    evening = spanish()
    double_cards(evening)
    completed(evening)
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.open_second_half(session=evening.session, **chief)
    void(evening, chief)
    refunds_aside(evening)
    games_services.complete(game=evening.game, **chief)
    ended(evening)
    assert due(evening, NINTH) == [1]
    open_case(evening, manager(evening))
    assert due(evening, NINTH) == []


@pytest.mark.rule(15, 52)
@pytest.mark.slow
def test_double_card_paid_later_for_its_first_game_and_then_for_its_second_is_kept_by_the_second() -> (
    None
):
    evening = spanish()
    double_cards(evening)
    evening.reach("paying")
    set_aside(evening)
    pay(evening, UnclaimedItem.objects.get())
    halves_of(evening)
    ended(evening)
    shelf = custody_list.list_kept_cards(evening.hall, at=after(1))
    assert [(row.kept.game, row.amount is None) for row in shelf.due] == [(2, False)]
    entry = destroy(evening, manager(evening, 1))
    assert entry.data["cards"][0]["game"] == 2


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_card_that_may_prove_something_is_set_aside(evening: Evening) -> None:
    completed(evening)
    with refuses(Refusal("not_sold", card=7)):
        open_case(evening, manager(evening), cards=[card(evening, 7)])
    with refuses(Refusal("kept_already", card=1)):
        open_case(evening, manager(evening), cards=[card(evening, 1)])
    open_case(evening, manager(evening), cards=[card(evening, 5)])
    with refuses(Refusal("bad_count", most=4)):
        destroy_used(evening, manager(evening), cards=5)
    destroy_used(evening, manager(evening), cards=4)
    with refuses(Refusal("destroyed_already", card=6)):
        open_case(evening, manager(evening), cards=[card(evening, 6)])
    session = ended(evening)
    assert lies_there(evening) == [card(evening, 1), card(evening, 5)]
    with refuses(Refusal("held_by_case", card=5, case=1)):
        destroy(evening, manager(evening, 30), cards=[card(evening, 5)])
    sealed(session)
    hand_over(evening, manager(evening), number=5)
    assert (lies_there(evening), sound(evening)) == ([card(evening)], True)


@pytest.mark.rule(51, 52)
@pytest.mark.slow
def test_set_aside_card_is_destroyed_when_its_case_is_closed(evening: Evening) -> None:
    set_aside_and_free(evening)
    assert due(evening, 0) == [5, 6]
    destroy(evening, manager(evening), cards=[card(evening, 5), card(evening, 6)])
    assert (lies_there(evening), SetAside.objects.count(), sound(evening)) == (
        [card(evening)], 2, True,
    )  # fmt: skip


@pytest.mark.rule(51)
@pytest.mark.slow
def test_winning_card_set_aside_as_evidence_is_counted_once_and_no_used_one() -> None:
    evening = quiet()
    not_fetched(evening, reason="altered")
    assert custody_queries.used(evening.game) == 5
    open_case(evening, manager(evening), cards=[card(evening, 5)])
    destroy_used(evening, manager(evening), cards=4)
    open_case(evening, manager(evening), cards=[card(evening)])
    assert custody_queries.used(evening.game) == 4
    with refuses(Refusal("kept_already", card=1)):
        open_case(evening, manager(evening), cards=[card(evening)])
    with refuses(Refusal("destroyed_already", card=6)):
        open_case(evening, manager(evening), cards=[card(evening, 6)])
    assert sound(evening)


@pytest.mark.rule(52)
@pytest.mark.slow
@pytest.mark.parametrize("reason", ["left", "altered"])
def test_winning_card_set_aside_and_paid_later_is_kept_for_its_days(reason: str) -> None:
    evening = quiet()
    item = not_fetched(evening, reason=reason)
    open_case(evening, manager(evening), cards=[card(evening)])
    assert lies_there(evening) == [card(evening)]
    how: dict[str, Any] = {}
    if reason in REFUSED:
        opened(evening, evening.who(Role.TABLE_CHIEF), card=1)
        complaint = decided(evening, manager(evening), decision="upheld")
        how = {"complaint": complaint, "witness": Role.TABLE_CHIEF}
    paid = pay(evening, item, **how)
    close_case(evening, manager(evening))
    session = ended(evening)
    first = evening.hall.day(paid.at) + timedelta(days=NINTH)
    [kept] = custody_values(session, ZoneInfo(evening.hall.time_zone)).kept
    assert (kept.amount, kept.free) == (paid.amount, first)
    shelf = custody_list.list_kept_cards(evening.hall, at=after(0))
    assert (shelf.cards, [day for day, _rows in shelf.waiting]) == (1, [first])
    with refuses(Refusal("kept_too_short", card=1, day=first.isoformat())):
        destroy(evening, manager(evening, NINTH - 1))
    destroy(evening, manager(evening, NINTH))
    assert sound(evening)


@pytest.mark.slow
@pytest.mark.rule(52)
def test_card_of_the_open_session_stays(evening: Evening) -> None:
    completed(evening)
    with refuses(Refusal("session_still_open", card=1, session=1)):
        destroy(evening, manager(evening, NINTH))
    assert due(evening, NINTH) == []


@pytest.mark.slow
def test_case_needs_a_reference_a_reason_and_a_game_that_is_over(evening: Evening) -> None:
    evening.reach("paying")
    with refuses("game_not_over"):
        open_case(evening, manager(evening))
    with_case(evening)
    with refuses("case_reference_missing"):
        open_case(evening, manager(evening), reference=" ")
    with refuses("bad_text"):
        open_case(evening, manager(evening), reference="1" * 121)
    with refuses("reason_missing"):
        close_case(evening, manager(evening), outcome="")
    assert open_case(evening, manager(evening)).number == 2


@pytest.mark.slow
@pytest.mark.rule(52)
def test_clock_that_was_put_back_destroys_nothing_early(evening: Evening) -> None:
    over(evening)
    at = timezone.now() - timedelta(days=40)
    with refuses("kept_too_short"):
        destroy(evening, manager(evening) | {"at": at})
    assert not JournalEntry.objects.filter(kind="winning_cards_destroyed").exists()
