"""Who is let in by a document: kept as a keyed hash, held against the list, refused on record (BOE III)."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.http import HttpResponse
from django.utils import timezone

from bingo.rules import rulebooks
from draws.record.audit import audit
from draws.training import services as training
from halls.admission import documents as admission_documents
from halls.admission import services as admission_services
from halls.models import Admission, Exclusion, Hall, JournalEntry, Look, Role, Visit
from tests.support.admissions import NUMBER, asking, come_in, exclude, paper, years_ago
from tests.support.database import FreshDatabase
from tests.support.evening import Evening, browser_of, order
from tests.support.planting_rows import plant
from tests.support.playing import everything, refuses
from tests.support.randomness_secrecy import dump
from tests.support.threads import at_once

pytestmark = pytest.mark.rule("BOE III")

PAPER = {"document_kind": "passport", "document_country": "PT", "document": NUMBER}


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> Path:
    settings.KEYS_DIR = tmp_path / "keys"
    return tmp_path / "keys"


def door(evening: Evening, verb: str = "admit", **fields: object) -> Any:
    return order(browser_of(evening.person(Role.DOOR)), "door", verb, **fields)


def look_up(evening: Evening, number: str = NUMBER, **fields: object) -> Any:
    asked = PAPER | {"from": evening.today, "to": evening.today, "document": number} | fields
    return order(evening.at("inspector"), "inspector/admissions", "look-up", **asked)


@pytest.mark.slow
@pytest.mark.django_db
def test_admission_is_in_the_register_by_its_hash_and_in_the_journal_by_a_proof_of_it() -> None:
    evening = asking(9).reach("session")
    entry = come_in(evening)
    visit = Visit.objects.get()
    assert set(entry.data) == {"inside", "capacity", "identity"}
    assert visit.document not in str(entry.data)
    assert (visit.admission.entry, visit.at, visit.key) == (entry, entry.at, 1)
    days = rulebooks.get(evening.hall.rulebook).admission_days
    assert visit.kept_until - visit.at == timedelta(days=days)
    assert entry.by == evening.person(Role.DOOR)
    come_in(evening, f" {NUMBER.lower()} ")
    assert Visit.objects.values("document").distinct().count() == 1
    assert Visit.objects.values("salt").distinct().count() == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_door_that_asks_lets_nobody_in_without_a_document() -> None:
    evening = asking()
    with refuses("document_needed"):
        admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR))
    assert door(evening).status_code == 409
    assert not Admission.objects.exists()
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
def test_rule_book_that_asks_needs_no_word_of_an_authorisation() -> None:
    evening = Evening()
    plant(Hall.objects.all(), rulebook="spain-1979")
    evening.hall.refresh_from_db()
    with refuses("document_needed"):
        admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR))


@pytest.mark.slow
@pytest.mark.django_db
def test_door_that_only_counts_looks_whether_somebody_is_excluded_and_keeps_nothing() -> None:
    evening = Evening()
    browser = browser_of(evening.person(Role.DOOR))
    assert 'id="document"' not in browser.get("/door/").content.decode()
    exclude(evening)
    assert 'id="document"' in browser.get("/door/").content.decode()
    with refuses("excluded"):
        come_in(evening)
    assert come_in(evening, "OTHER123").data == {"inside": 1, "document_checked": True}
    assert admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR)).data == {
        "inside": 2
    }
    assert not Visit.objects.exists()
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
@pytest.mark.slow
def test_excluded_person_is_refused_once_written_down_and_told_what_to_do() -> None:
    evening, key = asking(), uuid4()
    exclude(evening)
    for _again in range(2):
        answer = door(evening, key=key, **PAPER)
        page = answer.content.decode()
        assert (answer.status_code, 'data-code="excluded"' in page) == (409, True)
        assert NUMBER not in page
    entry = JournalEntry.objects.get(kind="admission_refused")
    assert entry.data == {"inside": 0, "reason": "excluded"}
    assert door(evening, **PAPER | {"document": "OTHER123"}).status_code == 200
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("begins", "ends", "comes_in"), [(0, 0, False), (-9, 0, False), (1, None, True), (1, 9, True)]
)
def test_exclusion_holds_from_its_first_day_to_its_last(
    begins: int, ends: int | None, comes_in: bool
) -> None:
    evening = asking()
    first = evening.today + timedelta(days=begins)
    last = evening.today + timedelta(days=ends) if ends is not None else None
    exclude(evening, begins=first, ends=last)
    if comes_in:
        assert come_in(evening).data["inside"] == 1
    else:
        with refuses("excluded"):
            come_in(evening)


@pytest.mark.slow
@pytest.mark.django_db
def test_exclusion_that_ended_yesterday_keeps_nobody_out() -> None:
    evening = asking()
    exclude(evening, ends=evening.today)
    tomorrow = timezone.now() + timedelta(days=1, minutes=1)
    assert come_in(evening, at=tomorrow).data["inside"] == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_who_comes_of_age_today_is_let_in_and_who_does_tomorrow_is_not() -> None:
    evening = asking()
    today = years_ago(evening.today, 18)
    assert come_in(evening, born=today).data["age_checked"] is True
    tomorrow = today + timedelta(days=1)
    assert door(evening, born=tomorrow, **PAPER).status_code == 409
    assert JournalEntry.objects.get(kind="admission_refused").data["reason"] == "minor"
    for born in (evening.today + timedelta(days=1), years_ago(evening.today, 150)):
        with refuses("bad_birth_date"):
            come_in(evening, born=born)
    assert Visit.objects.count() == 1


@pytest.mark.slow
@pytest.mark.django_db
def test_two_persons_take_somebody_off_the_list_and_only_once() -> None:
    evening = asking()
    exclude(evening)
    manager, chief = evening.who(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)
    asked: dict[str, Any] = {"hall": evening.hall, "number": 1, "reason": "Cumprida", **manager}
    for witness, code in (
        (None, "second_person_needed"),
        (manager["by"], "witness_same_person"),
        (evening.person(Role.DOOR), "witness_not_allowed"),
    ):
        with refuses(code):
            admission_services.lift(witness=witness, **asked)
    with refuses("unknown_exclusion"):
        admission_services.lift(witness=chief, **asked | {"number": 2})
    entry = admission_services.lift(witness=chief, **asked)
    assert entry.data == {"exclusion": 1, "reason": "Cumprida", "witness": chief.username}
    with refuses("exclusion_lifted"):
        admission_services.lift(witness=chief, **asked)
    assert come_in(evening).data["inside"] == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
@pytest.mark.parametrize("role", sorted(set(Role) - {Role.HALL_MANAGER}))
def test_nobody_but_the_hall_manager_changes_the_list(role: Role) -> None:
    evening = asking()
    exclude(evening)
    chief = evening.person(Role.TABLE_CHIEF)
    with refuses("not_allowed"):
        exclude(evening, "OTHER123", **evening.who(role))
    with refuses("not_allowed"):
        admission_services.lift(
            hall=evening.hall, number=1, reason="x", witness=chief, **evening.who(role)
        )
    page = browser_of(evening.person(role))
    sent = PAPER | {"exclusion_reason": "hall", "excluded_from": evening.today}
    assert order(page, "exclusions", "add", **sent).status_code == 403
    assert (Exclusion.objects.count(), page.get("/exclusions/").status_code == 200) == (
        1, role == Role.INSPECTOR,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.django_db
def test_same_order_twice_writes_once_and_its_key_serves_nobody_else() -> None:
    evening, key = asking(), uuid4()
    first = come_in(evening, key=key)
    assert come_in(evening, key=key) == first
    with refuses("key_reused"):
        come_in(evening, "OTHER123", key=key)
    assert Visit.objects.count() == 1
    made = exclude(evening, "OTHER123", key=(again := uuid4()))
    assert exclude(evening, "OTHER123", key=again) == made
    with refuses("key_reused"):
        exclude(evening, "THIRD123", key=again)
    assert audit(Hall.objects.get()) == []


def written(answer: HttpResponse) -> str:
    """Return a page but for what chance puts into it: the keys and tokens of its forms."""
    page = answer.content.decode()
    return re.sub(r'(name="(?:key|csrfmiddlewaretoken)"\s+value|nonce)="[\w-]+"', "", page)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "typed",
    ["", "   ", "123", "9" * 10_000, "1234\x005678", "\u202e12345678", "١٢٣٤٥٦٧٨", "<b>12345678"],
    ids=range(8),
)
def test_what_is_no_document_is_refused_and_put_back_nowhere(typed: str) -> None:
    evening = asking()
    at_the_door, manager = browser_of(evening.person(Role.DOOR)), evening.at("manager")
    before = everything()
    answer = order(at_the_door, "door", "admit", **PAPER | {"document": typed})
    assert answer.status_code == 409
    if typed.strip():
        assert typed not in written(answer)
    sent = PAPER | {"document": typed, "exclusion_reason": "hall", "excluded_from": evening.today}
    answer = order(manager, "exclusions", "add", **sent)
    assert answer.status_code == 409
    if typed.strip():
        assert typed not in written(answer)
    assert everything() == before


@pytest.mark.django_db
def test_document_typed_for_a_refused_form_is_not_in_its_page() -> None:
    evening = asking()
    asked = PAPER | {"exclusion_reason": "colour", "excluded_from": evening.today}
    answer = order(evening.at("manager"), "exclusions", "add", **asked)
    assert (answer.status_code, NUMBER in answer.content.decode()) == (409, False)
    answer = look_up(evening, to="1990-01-01")
    assert (answer.status_code, NUMBER in answer.content.decode()) == (409, False)


@pytest.mark.django_db
@pytest.mark.slow
def test_key_that_is_away_or_another_lets_nobody_in_and_says_what_to_do(keys: Path) -> None:
    evening = asking()
    come_in(evening)
    [file] = (keys / "document.keys").glob("*/key-1.hex")
    kept = file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    file.unlink()
    for content, code in ((None, "missing"), ("zz", "missing"), ("00" * 32, "differs")):
        if content is not None:
            file.write_text(content)
        answer = door(evening, **PAPER)
        assert answer.status_code == 409
        assert f'data-code="document_key_{code}"' in answer.content.decode()
        assert str(file) in answer.content.decode()
        with refuses(f"document_key_{code}"):
            exclude(evening)
    assert door(evening, "leave").status_code == 200
    assert door(evening, "refuse", reason="conduct").status_code == 200
    assert look_up(evening).status_code == 409
    assert audit(Hall.objects.get()) == []
    file.write_text(kept)
    assert door(evening, **PAPER).status_code == 200


@pytest.mark.django_db
@pytest.mark.slow
def test_key_that_is_lost_gives_way_to_another_and_what_the_old_one_made_waits_for_it(
    keys: Path,
) -> None:
    evening = asking()
    exclude(evening)
    come_in(evening, "OTHER123")
    [file] = (keys / "document.keys").glob("*/key-1.hex")
    kept = file.read_text()
    file.unlink()
    call_command("renew_document_key", "--json")
    come_in(evening)  # of the exclusion nothing can be told without the key that made it
    assert "key-1" not in str(list(keys.glob("*/*")))
    file.write_text(kept)
    with refuses("excluded"):
        come_in(evening)
    assert len(admission_documents.hashes(evening.hall, paper())) == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
def test_halls_know_one_document_by_different_hashes_and_keep_lists_of_their_own() -> None:
    ours, others = asking(), asking(code="outra")
    exclude(ours)
    assert come_in(others).data["inside"] == 1
    assert Exclusion.objects.get().document != Visit.objects.get().document


@pytest.mark.django_db
def test_training_asks_as_the_hall_does_and_has_a_key_and_a_list_of_its_own(keys: Path) -> None:
    evening = asking()
    exclude(evening)
    practising = training.enter(evening.person(Role.DOOR), at=timezone.now())
    entry = admission_services.admit(
        hall=practising.hall, document=paper(), by=practising, at=timezone.now()
    )
    assert "identity" in entry.data
    assert Visit.objects.get().document != Exclusion.objects.get().document
    folders = {file.parent.name for file in (keys / "document.keys").glob("*/key-1.hex")}
    assert {evening.hall.code, practising.hall.code} <= folders


@pytest.mark.django_db
@pytest.mark.slow
def test_inspector_finds_one_person_and_that_they_looked_is_on_record() -> None:
    evening = asking().reach("session")
    come_in(evening)
    come_in(evening, "OTHER123")
    exclude(evening)
    door(evening, **PAPER)
    hashed = Visit.objects.earliest("number").document
    answer = look_up(evening, NUMBER.lower())
    page = answer.content.decode()
    assert (answer.status_code, NUMBER in page, NUMBER.lower() in page) == (200, False, False)
    assert [one.number for one in answer.context["answer"]["visits"]] == [1]
    look = Look.objects.get(route="admissions-look-up")
    assert f"document={hashed[:8]}&" in look.path
    assert hashed[:9] not in look.path
    assert [one.reason for one, _word in answer.context["refusals"]] == ["excluded"]
    for asked in ({"number": "NOBODY99"}, {"from": "2020-01-01", "to": "2020-12-31"}):
        assert look_up(evening, **asked).context["answer"]["visits"] == []
    listed = evening.at("inspector").get("/exclusions/").content.decode()
    assert (hashed[:8] in listed, hashed[:9] in listed) == (True, False)
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
def test_look_up_whose_last_day_comes_first_is_told_so() -> None:
    answer = look_up(asking(), **{"from": "2026-11-02", "to": "2026-11-01"})
    assert (answer.status_code, answer.context["notice"]["code"]) == (409, "bad_period")


@pytest.mark.django_db
def test_register_answers_no_order_that_left_no_look() -> None:
    evening = asking().reach("session")
    come_in(evening)
    answer = look_up(evening, key="x")
    assert (answer.status_code, answer.context["answer"]) == (409, None)
    assert not Look.objects.filter(route="admissions-look-up").exists()


@pytest.mark.django_db
@pytest.mark.slow
def test_hall_manager_reads_counts_alone_but_for_the_journal() -> None:
    evening = asking().reach("session")
    come_in(evening)
    exclude(evening)
    door(evening, **PAPER)
    page = evening.at("manager").get("/inspector/admissions/")
    assert (page.context["refusals"], page.context["inspects"]) == ([], False)
    [(counted, refused)] = page.context["sessions"]
    assert (counted.admitted, [n for _word, n in refused]) == (1, [1])
    [hour] = page.context["hours"]
    assert (hour.admitted, hour.refused, hour.most) == (1, 1, 1)
    asked = PAPER | {"from": evening.today, "to": evening.today}
    answer = order(evening.at("manager"), "inspector/admissions", "look-up", **asked)
    assert answer.status_code == 403
    # The journal has each refusal for the manager too, and names nobody.
    listed = evening.at("manager").get("/inspector/1/?kind=admission_refused")
    [(entry, _kind, _told)] = listed.context["rows"]
    assert NUMBER not in listed.content.decode()
    assert set(entry.data) == {"inside", "reason"}
    for role in (Role.DOOR, Role.CASHIER, Role.CALLER):
        page = browser_of(evening.person(role)).get("/inspector/admissions/")
        assert page.status_code == 403


@pytest.mark.parametrize("_turn", range(3))
@pytest.mark.slow
def test_two_doors_at_once_never_let_in_more_than_may_be(
    fresh_database: FreshDatabase, _turn: int
) -> None:
    evening = asking(3)
    come_in(evening)
    who = evening.who(Role.DOOR)
    numbers = [f"RACE{number:04}" for number in range(8)]
    done = at_once([partial(come_in, evening, number, **who) for number in numbers])
    let_in = [one for one in done if isinstance(one, JournalEntry)]
    assert len(let_in) == 2
    assert {getattr(one, "code", None) for one in done if one not in let_in} == {"hall_full"}
    assert max(Admission.objects.values_list("inside", flat=True)) == 3
    assert Visit.objects.count() == 3
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_doors_that_did_not_wait_for_each_other_would_be_refused_by_postgresql(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is what makes them wait; without it nobody comes in beyond what may be either."""
    evening = asking(3)
    come_in(evening)
    monkeypatch.setattr("halls.journal.head.lock", lambda pk: Hall.objects.get(pk=pk), raising=True)
    who = evening.who(Role.DOOR)
    done = at_once([partial(come_in, evening, f"RACE{number:04}", **who) for number in range(8)])
    assert any(isinstance(one, IntegrityError) for one in done)
    assert max(Admission.objects.values_list("inside", flat=True)) <= 3


@pytest.mark.slow
def test_exclusion_and_admission_at_once_come_one_after_the_other(
    fresh_database: FreshDatabase,
) -> None:
    evening = asking()
    who, manager = evening.who(Role.DOOR), evening.who(Role.HALL_MANAGER)
    at_once([lambda: come_in(evening, **who), lambda: exclude(evening, **manager)])
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["door", "exclusions", "inspector/admissions"])
@pytest.mark.slow
def test_document_is_not_in_the_page_and_the_log_of_an_error(
    page: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    evening = asking()

    def broken(*_asked: Any, **_more: Any) -> None:
        raise RuntimeError("PLANTED77")

    monkeypatch.setattr("bingo.rules.admission.document_digest", broken)
    exclude_page = {"exclusion_reason": "hall", "excluded_from": evening.today}
    sent = PAPER | exclude_page | {"from": evening.today, "to": evening.today}
    admission_documents.renew_key(hall=evening.hall, at=timezone.now())
    roles = {"door": Role.DOOR, "exclusions": Role.HALL_MANAGER}
    client = browser_of(evening.person(roles.get(page, Role.INSPECTOR)))
    client.raise_request_exception = False
    verb = {"door": "admit", "exclusions": "add"}.get(page, "look-up")
    answer = order(client, page, verb, **sent)
    assert (answer.status_code, NUMBER in answer.content.decode()) == (500, False)
    assert "PLANTED77" in caplog.text
    assert NUMBER not in caplog.text


@pytest.mark.slow
def test_document_stands_in_no_dump_no_log_and_no_address(
    fresh_database: FreshDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    evening = asking().reach("session")
    connection.force_debug_cursor = True
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="django.db.backends")
    try:
        assert door(evening, **PAPER).status_code == 200
        sent = PAPER | {"exclusion_reason": "hall", "excluded_from": evening.today}
        assert order(evening.at("manager"), "exclusions", "add", **sent).status_code == 302
        assert door(evening, **PAPER).status_code == 409
        assert look_up(evening).status_code == 200
        door(evening, "refuse", reason="PLANTED77")
        door(evening, "count", inside=2, reason="PLANTED77")
    finally:
        connection.force_debug_cursor = False
    held, logged = dump(fresh_database), caplog.text
    for told in (NUMBER, NUMBER.lower(), NUMBER[2:8]):
        assert told not in held
        assert told not in logged
    # The question is a good one: what was written is found, in both.
    assert "PLANTED77" in held
    assert "PLANTED77" in logged
    assert Visit.objects.get().document in held
    assert audit(Hall.objects.get()) == []
