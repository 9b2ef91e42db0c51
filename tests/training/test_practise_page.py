"""Practising at any desk: by its own addresses, marked on every page, and apart from the real hall."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import get_script_prefix
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.models import Game, Prize, Sale
from draws.training import services as training
from halls import training as halls_training
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import FACE, SEAT, Evening, browser_of

pytestmark = pytest.mark.django_db

DESKS = ("till", "caller", "table")


def into_training(client: Client, desk: str = "till") -> str:
    """Press Practise at a desk, and give where that leads."""
    answer = client.post("/practise/enter/", {"desk": desk})
    assert answer.status_code == 302, answer
    return str(answer["Location"])


def order(client: Client, path: str, **fields: Any) -> Any:
    """Send an order to an address, with a key of its own."""
    return client.post(path, {"key": str(uuid4())} | fields)


def rows(hall: Hall) -> dict[str, list[Any]]:
    """Every row that belongs to a hall, of every table."""
    return {
        model.__name__: list(
            model._default_manager.filter(**{journal_queries.path_to_hall(model): hall.pk})
            .order_by("pk")
            .values_list()
        )
        for model in journal_queries.ours()
    }


@pytest.mark.parametrize("desk", ["till", "caller", "table", "manager"])
def test_practise_leads_to_the_same_desk_where_nothing_is_real(desk: str) -> None:
    client = Evening().at(desk)
    assert into_training(client, desk) == f"/training/{desk}/"
    page = client.get(f"/training/{desk}/").content.decode()
    assert 'class="is-training"' in page
    assert "training__word" in page
    assert "icons/training.svg" in page
    assert f'href="/{desk}/"' in page  # out again
    assert f'action="/training/{desk}/do/' in page or f'"/training/{desk}/' in page
    assert '/live/sala-training/console/"' in page


@pytest.mark.slow
@pytest.mark.parametrize("desk", ["till", "caller", "table", "manager"])
def test_real_desk_bears_no_mark_of_training(desk: str) -> None:
    evening = Evening()
    client = evening.at(desk)
    into_training(client, desk)
    page = client.get(f"/{desk}/").content.decode()
    assert "is-training" not in page
    assert "training__word" not in page
    assert '"/training/' not in page
    assert 'action="/practise/enter/"' in page


@pytest.mark.slow
def test_somebody_alone_sits_at_every_desk_of_training_and_at_no_other_real_one() -> None:
    client = Evening().at("till")
    into_training(client)
    assert [client.get(f"/training/{desk}/").status_code for desk in DESKS] == [200] * 3
    assert client.get("/training/manager/").status_code == 403
    assert [client.get(f"/{desk}/").status_code for desk in DESKS] == [200, 403, 403]


@pytest.mark.slow
def test_every_address_on_a_page_of_training_is_one_of_training() -> None:
    client = Evening().at("manager")
    into_training(client)
    for path in ("manager", "table", "caller", "till", "cards", "policy", "practise", "screens"):
        page = client.get(f"/training/{path}/").content.decode()
        for attribute in ("action", "hx-post", "hx-get"):
            found = [part.split('"')[0] for part in page.split(f'{attribute}="')[1:]]
            # The lock is of the login, which is the same in training.
            outside = {one for one in found if one.startswith("/") and "/training/" not in one}
            assert outside <= {"/sign-in/lock/"}


def test_address_of_training_without_practising_asks_to_practise() -> None:
    client = Evening().at("till")
    answer = client.get("/training/till/")
    assert (answer.status_code, answer["Location"]) == (302, "/practise/")
    assert 'action="/practise/enter/"' in client.get("/practise/").content.decode()
    assert Hall.objects.count() == 1


def test_nobody_practises_before_they_log_in_and_inspectors_never() -> None:
    evening = Evening()
    answer = Client().get("/training/till/")
    assert answer["Location"] == "/login/?next=/training/till/"
    inspector = browser_of(evening.person(Role.INSPECTOR))
    assert inspector.post("/practise/enter/").status_code == 403
    assert "/practise/enter/" not in inspector.get("/inspector/").content.decode()


def test_prefix_is_gone_after_a_page_of_training() -> None:
    client = Evening().at("till")
    into_training(client)
    client.get("/training/till/")
    assert get_script_prefix() == "/"


@pytest.mark.slow
def test_logging_out_of_training_is_logging_out() -> None:
    client = Evening().at("till")
    into_training(client)
    assert client.post("/training/logout/")["Location"] == "/login/"
    assert client.get("/till/").status_code == 302


@pytest.mark.parametrize("lesson", training.LESSONS)
@pytest.mark.slow
def test_lesson_is_one_press(lesson: str) -> None:
    client = Evening().at("till")
    into_training(client)
    answer = order(client, "/training/practise/do/deal/", lesson=lesson)
    desk = {"sale": "till", "draw": "caller", "claim": "table"}[lesson]
    assert (answer.status_code, answer["Location"]) == (302, f"/training/{desk}/")
    assert client.get(f"/training/{desk}/").status_code == 200
    assert client.get("/training/practise/").status_code == 200


def test_lesson_is_not_dealt_in_a_real_hall() -> None:
    evening = Evening()
    answer = order(evening.at("till"), "/practise/do/deal/", lesson="draw")
    assert answer.status_code == 409
    assert not Game.objects.exists()


@pytest.mark.slow
def test_manager_begins_training_anew_and_a_cashier_does_not() -> None:
    evening = Evening()
    manager, cashier = evening.at("manager"), evening.at("till")
    into_training(cashier)
    assert order(cashier, "/training/practise/do/renew/").status_code == 409
    into_training(manager)
    assert order(manager, "/training/practise/do/renew/").status_code == 302
    assert halls_training.hall_of(evening.hall).code == "sala-training-2"  # type: ignore[union-attr]


def test_training_hall_that_cannot_be_made_is_told_of_and_leaves_the_old_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_hall: object, **_order: object) -> None:
        raise Refusal("no_authorisation")

    evening = Evening()
    manager = evening.at("manager")
    with monkeypatch.context() as broken:
        broken.setattr(training, "furnish", refused)
        answer = manager.post("/practise/enter/", {"desk": "manager"})
        assert answer.status_code == 409
        assert "no_authorisation" in answer.content.decode()
        assert halls_training.hall_of(evening.hall) is None
    into_training(manager)
    monkeypatch.setattr(training, "furnish", refused)
    assert order(manager, "/training/practise/do/renew/").status_code == 409
    assert halls_training.hall_of(evening.hall).code == "sala-training"  # type: ignore[union-attr]


# ---- what is of the one hall can do nothing in the other ----


def played(evening: Evening) -> Client:
    """A till's browser that practises a claim, beside a real game that is being drawn."""
    evening.reach("drawing")
    client = evening.at("till")
    into_training(client)
    order(client, "/training/practise/do/deal/", lesson="claim")
    return client


@pytest.mark.slow
def test_whole_evening_of_training_leaves_every_row_of_the_real_hall_as_it_was() -> None:
    evening = Evening().reach("awarded")
    evening._paying()
    client = evening.at("till")
    before = rows(evening.hall)
    into_training(client)
    for lesson in training.LESSONS:
        order(client, "/training/practise/do/deal/", lesson=lesson)
        hall = halls_training.hall_of(evening.hall)
        game = Game.objects.filter(session__hall=hall).latest("pk")
        key = {"cause": "other", "reason": "Training"}
        order(client, "/training/table/do/void/", game=game.pk, **key)
        for sale in Sale.objects.filter(game=game):
            order(
                client, "/training/till/do/refund/",
                issue=sale.issue_id, first=sale.first, last=sale.last,
            )  # fmt: skip
        order(client, "/training/table/do/complete/", game=game.pk)
    assert Sale.objects.filter(game__session__hall=hall).count() == 3
    after = rows(Hall.objects.get(pk=evening.hall.pk))
    changed = {name for name in before if before[name] != after[name]}
    assert changed == set()


@pytest.mark.slow
def test_real_evening_leaves_every_row_of_training_as_it_was() -> None:
    evening = Evening()
    account = training.enter(evening.person(Role.CASHIER), at=timezone.now())
    training.deal(lesson="claim", by=account, at=timezone.now())
    before = rows(account.hall)
    evening.reach("session")
    evening.stage = 1
    for stage in ("_shift", "_prepared", "_selling"):
        getattr(evening, stage)()
    assert rows(Hall.objects.get(pk=account.hall_id)) == before


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "/training"])
def test_order_goes_to_the_hall_of_its_address_whatever_it_names(prefix: str) -> None:
    evening = Evening()
    client = played(evening)
    real, other = Game.objects.order_by("pk")
    mine, theirs = (other, real) if prefix else (real, other)
    chief, till = (client, client) if prefix else (evening.at("table"), evening.at("till"))
    before = rows(theirs.session.hall)
    told: dict[str, Any]
    for verb, told in (
        ("check", {"issue": theirs.issue_id, "card": 1, "combination": "line", "sound": "1"}),
        ("void", {"game": theirs.pk, "cause": "other", "reason": "x"}),
    ):
        order(chief, f"{prefix}/table/do/{verb}/", **told)
    named = {"issue": theirs.issue_id}
    for verb, told in (
        ("sell", {"quantity": 1, "first": 1} | named),
        ("pay", {"card": 1} | named),
        ("refund", {"first": 1, "last": 1} | named),
    ):
        answer = order(till, f"{prefix}/till/do/{verb}/", **told)
        assert answer.status_code in (404, 409)
    answer = order(till, f"{prefix}/till/sell/", quantity=1, first=1, **named)
    assert answer.status_code in (403, 404, 409)
    assert rows(Hall.objects.get(pk=theirs.session.hall_id)) == before
    assert not Prize.objects.filter(game=mine, issue=theirs.issue).exists()


def test_training_account_is_nobody_at_real_addresses() -> None:
    evening = Evening()
    account = training.enter(evening.person(Role.CASHIER), at=timezone.now())
    client = browser_of(account)  # what no door lets happen
    assert client.get("/till/").status_code == 302
    assert client.get("/training/till/").status_code == 302
    assert JournalEntry.objects.filter(hall=account.hall, kind="shift_opened").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("page", ["staff", "password", "first", "first-steps", "cameras"])
def test_accounts_and_what_hangs_in_the_real_hall_are_not_practised(page: str) -> None:
    client = Evening().at("manager")
    into_training(client, "manager")
    shown = client.get("/training/manager/").content.decode()
    assert f'href="/training/{page}/"' not in shown
    people = Person.objects.count()
    for answer in (client.get(f"/training/{page}/"), order(client, f"/training/{page}/do/enrol/")):
        assert (answer.status_code, answer["Location"]) == (302, "/training/practise/")
    assert Person.objects.count() == people


def test_password_that_somebody_gave_is_changed_before_practising() -> None:
    evening = Evening()
    client = evening.at("till")
    into_training(client)
    Person.objects.filter(pk=evening.person(Role.CASHIER).pk).update(password_given=True)
    answer = client.get("/training/till/")
    assert (answer.status_code, answer["Location"]) == (302, "/password/")


def test_partner_logs_in_nowhere() -> None:
    hall = training.enter(Evening().person(Role.CASHIER), at=timezone.now()).hall
    partner = halls_training.partner(hall)
    assert partner.check_password(halls_training.partner_password(partner.hall))
    client = Client()
    for door in ("/login/", "/training/login/"):
        fields = {
            "username": partner.username,
            "password": halls_training.partner_password(partner.hall),
        }
        assert client.post(door, fields).status_code == 200  # asked again
        assert "_auth_user_id" not in client.session


def two_for(hall: Hall, by: Person) -> None:
    """Let no cash be moved at a till without a second person."""
    set_policy(hall=hall, four_eyes=["cash_moved"], source="rng", by=by, at=timezone.now())


@pytest.mark.parametrize("practising", [False, True])
@pytest.mark.slow
def test_second_person_of_the_one_hall_is_nobody_in_the_other(*, practising: bool) -> None:
    evening = Evening()
    manager = evening.person(Role.HALL_MANAGER)
    manager.set_password("a real password")
    manager.save(update_fields=["password"])
    two_for(evening.hall, manager)
    client = evening.at("till")
    into_training(client)  # which copies the policy
    hall = halls_training.hall_of(evening.hall)
    assert hall is not None
    partner = halls_training.partner(hall)
    if practising:
        order(client, "/training/practise/do/deal/", lesson="sale")
    else:
        evening.reach("shift")
    prefix = "/training" if practising else ""
    move = {"amount": "10,00", "reason": "Troco", "direction": "in"}
    theirs, ours = (
        (manager.username, "a real password"),
        (partner.username, halls_training.partner_password(partner.hall)),
    )
    wrong, right = (theirs, ours) if practising else (ours, theirs)
    outcomes = []
    for name, password in (wrong, right):
        fields = move | {"witness_username": name, "witness_password": password}
        answer = order(client, f"{prefix}/till/do/move-cash/", **fields)
        outcomes.append(answer.status_code)
    assert outcomes == [409, 200]


@pytest.mark.slow
def test_board_of_training_says_so_and_no_real_board_does() -> None:
    evening = Evening()
    into_training(evening.at("till"))
    assert "board__training" in Client().get("/board/sala-training/").content.decode()
    assert "board__training" not in Client().get("/board/sala/").content.decode()


@pytest.mark.slow
def test_screen_of_the_one_wall_is_none_of_the_other() -> None:
    evening = Evening()
    into_training(evening.at("till"))
    wall = Client()
    real = wall.post("/board/sala/screen.json").json()
    token = wall.cookies["bingo_screen"].value
    stranger = Client()
    stranger.cookies["bingo_screen"] = token
    other = stranger.post("/board/sala-training/screen.json").json()
    assert real["code"] != other["code"] or stranger.cookies["bingo_screen"].value != token
    hall = halls_training.hall_of(evening.hall)
    assert hall is not None
    assert (evening.hall.wall_screens.count(), hall.wall_screens.count()) == (1, 1)


def test_price_of_training_is_the_halls_own() -> None:
    evening = Evening()
    account = training.enter(evening.person(Role.CASHIER), at=timezone.now())
    assert account.hall.issues.get().face == FACE
    assert SEAT["till"] == Role.CASHIER


@pytest.mark.slow
def test_boards_feed_of_the_real_hall_tells_nothing_of_training() -> None:
    evening = Evening().reach("selling")
    before = Client().get("/board/sala/state.json").content
    client = evening.at("till")
    into_training(client)
    order(client, "/training/practise/do/deal/", lesson="draw")
    assert Client().get("/board/sala/state.json").content == before
    there = Client().get("/board/sala-training/state.json").json()
    assert (there["board"]["phase"], there["board"]["session"]) == ("drawing", 1)


@pytest.mark.slow
def test_search_exports_and_prizes_of_the_real_hall_tell_nothing_of_training() -> None:
    evening = Evening().reach("selling")
    pages = (
        "/inspector/", "/watch/", "/inspector/search/?q=T001", "/inspector/prizes/",
        "/equipment/statistics/", "/cards/", "/jackpot/", "/complaints/",
    )  # fmt: skip
    manager, client = evening.at("manager"), evening.at("till")
    into_training(client)
    order(client, "/training/practise/do/deal/", lesson="claim")
    hall = halls_training.hall_of(evening.hall)
    assert hall is not None
    for path in pages:
        answer = manager.get(path)
        assert answer.status_code in (200, 404), path
        page = answer.content.decode()
        for told in (hall.code, hall.name, "T001"):
            assert told not in page.replace("q=T001", "").replace('value="T001"', ""), path


@pytest.mark.slow
def test_what_an_order_of_training_came_to_is_told_in_no_real_tab() -> None:
    client = Evening().at("till")
    into_training(client)
    address = order(client, "/training/practise/do/deal/", lesson="draw")["Location"]
    told = _("The game is dealt: go on from here")
    assert told not in client.get("/till/").content.decode()
    assert told in client.get(address).content.decode()
    assert told not in client.get(address).content.decode()
