"""Who may come to which address: the table beside this file against the resolver, role by role.

Ten askers: the eight roles of a hall, nobody, and somebody of another hall who has every role there.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from halls.models import Person, Role
from tests.support.addresses import Address, addresses
from tests.support.authorisation import NOBODY, TABLE, WORDS, may
from tests.support.evening import SEAT, Evening, browser_of
from tests.support.fingerprints import facts, fingerprints
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

FIELDS = {
    "quantity": "1", "issue": "1", "card": "1", "text": "x", "reason": "x", "number": "1",
    "amount": "1", "till": "1", "session": "1", "game": "1", "name": "x", "checked": "on",
    "category": "other", "decision": "x", "language": "pt", "combination": "line", "sound": "on",
    "sure": "on",
}  # fmt: skip
# These tell whoever asks how the wall looks; the one also makes a stranger a screen.
# Who asks for these is another one afterwards, or covered; or is led to the login whoever they are.
OPEN = {
    "board/<slug:code>/screen.json", "language/setlang/", "theme/", "logout/", "login/",
    "login/pin/", "login/provider/return/", "sign-in/lock/", "sign-in/unlock/",
}  # fmt: skip


def browsers(evening: Evening) -> dict[str, Client]:
    """Return a browser for each asker."""
    found = {role.value: browser_of(evening.person(role)) for role in Role}
    return found | {NOBODY: Client()}


def comes_in(browser: Client, address: Address) -> bool:
    """Ask, and return whether an asker got beyond the door."""
    answer = browser.get(address.path) if not address.verb else _post(browser, address.path)
    if answer.status_code == 405:
        answer = _post(browser, address.path)
    assert answer.status_code < 500, address
    sent_off = answer.status_code == 302 and "/login/" in answer["Location"]
    return answer.status_code not in (401, 403) and not sent_off


def _post(browser: Client, path: str, **fields: str) -> Any:
    return browser.post(path, {"key": str(uuid4()), **fields})


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {one.route for one in addresses()} == set(TABLE)


def test_rows_name_known_roles() -> None:
    known = {role.value for role in Role}
    assert {role for told in TABLE.values() if told not in WORDS for role in told.split()} <= known


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_each_asker_comes_to_what_their_rows_say() -> None:
    evening = Evening().reach("sold")
    wrong = []
    for asker, browser in browsers(evening).items():
        for address in addresses():
            if address.verb not in ("", "nothing") or address.route in OPEN:
                continue
            if comes_in(browser, address) != (asker in may(address.route)):
                wrong.append((asker, address.path))
    assert wrong == []


def test_one_role_s_desk_is_closed_to_the_others() -> None:
    evening = Evening()
    desk = next(one for one in addresses() if one.route == "till/")
    for role in Role:
        assert comes_in(browser_of(evening.person(role)), desk) == (role == SEAT["till"])
    assert not comes_in(Client(), desk)


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_no_order_of_somebody_who_may_not_changes_anything() -> None:
    evening = Evening().reach("sold")
    rows, journal, tried = fingerprints(), facts(), 0
    for asker, browser in browsers(evening).items():
        for address in addresses():
            if not address.verb or asker in may(address.route):
                continue
            answer = _post(browser, address.path, **FIELDS)
            assert answer.status_code in (302, 403), (asker, address.path)
            tried += 1
    assert tried > 1000
    assert fingerprints() == rows
    assert facts() == journal


@pytest.mark.slow
def test_somebody_of_another_hall_reaches_nothing_by_its_number() -> None:
    evening, other = Evening().reach("sold"), Evening("outra")
    evening.equip()
    stranger = other.person(Role.HALL_MANAGER)
    plant(Person.objects.filter(pk=stranger.pk), roles=[role.value for role in Role])
    stranger.refresh_from_db()
    browser = browser_of(stranger)
    issue, rows, journal = evening.issue(), fingerprints(), facts()
    ours = {
        "issue": issue.pk, "series": issue.series_id, "ball_set": evening.hall.ball_sets.get().pk,
        "authorisation": evening.hall.authorisations.latest("pk").pk,
    }  # fmt: skip
    tried = 0
    for address in addresses(**ours):
        named = [name for name in ours if f"<int:{name}>" in address.route]
        if not named:
            continue
        answer = browser.get(address.path) if not address.verb else _post(browser, address.path, **FIELDS)  # fmt: skip
        assert answer.status_code in (302, 404, 409), (address.path, answer.status_code)
        if not address.verb:
            assert answer.status_code == 404, address.path
        tried += 1
    assert tried > 15
    assert fingerprints() == rows
    assert facts() == journal


@pytest.mark.slow
def test_the_numbers_of_the_test_above_are_somebody_s() -> None:
    evening = Evening().reach("prepared")
    browser, issue = evening.at("manager"), evening.issue()
    for path in (f"/cards/issues/{issue.pk}/", f"/cards/series/{issue.series_id}/"):
        assert browser.get(path).status_code == 200


@pytest.mark.slow
def test_no_look_changes_anything() -> None:
    evening = Evening().reach("sold")
    browser, rows, journal = evening.at("manager"), fingerprints(), facts()
    for address in addresses(issue=evening.issue().pk, series=evening.issue().series_id):
        if not address.verb and Role.HALL_MANAGER.value in may(address.route):
            browser.get(address.path, FIELDS)
    assert fingerprints() == rows
    assert facts() == journal
