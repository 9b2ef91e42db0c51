"""A removal is signed, and one that the rules would not have made is found."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction
from django.utils import timezone

from bingo import signed_notes
from bingo.rules import retention as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.record import sealing
from draws.retention import services as retention_services
from draws.retention.services import remove
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Removal, Role
from tests.support import remarks
from tests.support.admissions import come_in
from tests.support.evening import Evening, authorise
from tests.support.removing import (
    after,
    audit_codes,
    complained,
    complained_later,
    entries,
    forget,
    hall,
    keep_for,
    kept,
    lived,
    opened,
)
from tests.support.session_closing import closed, drawn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"days": 30, "last": 1}, "closed for less than the days"),
        ({"days": 8, "last": 1}, "not the hall's days"),
        ({"days": 30, "last": 0, "after": 1}, "nothing was forgotten before"),
    ],
)
def test_forgetting_that_the_rule_does_not_allow_is_found(
    evening: Evening, told: dict[str, int], why: str
) -> None:
    drawn(evening, 17)
    closed(evening)
    data = {"after": 0, "enrolments": [], "pictures": 1} | told
    journal_services.append(
        head.lock(evening.hall.pk), Fact("pictures_forgotten", data), by=None, at=after(20)
    )
    assert audit_codes() == ["rules_refuse"], why


@pytest.mark.rule(52)
@pytest.mark.slow
def test_forgetting_what_an_open_case_holds_is_found(evening: Evening) -> None:
    drawn(evening, 17)
    opened(closed(evening))
    lived(evening, 32)
    data = {"days": 30, "after": 0, "last": 1, "enrolments": [], "pictures": 1}
    journal_services.append(
        head.lock(evening.hall.pk), Fact("pictures_forgotten", data), by=None, at=after(40)
    )
    assert audit_codes() == ["rules_refuse"]


def applied(evening: Evening, at: datetime, **changed: Any) -> list[str]:
    """Write a removal of session 1 as the rules would, but for what is changed; return the findings."""
    checkpoints_services.vkeys(hall())
    keys = checkpoints_queries.kept(hall())
    days = {"pictures": 30, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}
    items = changed.pop("items", [rules.RemovalItem("pictures", "a" * 64, at)])
    told: dict[str, Any] = {
        "removal": 1, "items": items, "days": days, "sessions": [(1, 1)], "enrolments": [],
        "prints": [], "absent": 0, "kept_back": [], "key": 1,
    }  # fmt: skip
    by = changed.pop("by", keys[1])
    data = rules.apply(**told | changed)
    data["note"] = signed_notes.sign_note(rules.signed("sala", data), [by])
    with transaction.atomic():
        held = head.lock(evening.hall.pk)
        entry = journal_services.append(held, Fact("retention_applied", data), by=None, at=at)
        listed = rules.listed(items)
        upto = rules.looks_end(listed)
        Removal.objects.create(
            hall=held, number=data["removal"], listed=listed, looks_upto=upto, entry=entry
        )
    return audit_codes()


@pytest.mark.slow
def test_removal_as_the_rules_would_write_it_is_good(evening: Evening) -> None:
    drawn(evening)
    closed(evening)
    lived(evening, 32)
    assert applied(evening, after(40)) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"removal": 2}, {"sessions": [(1, 2)]}, {"sessions": [(1, 1), (2, 2)]}, {"prints": [1]},
        {"days": {"pictures": 29, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}},
    ],
    ids=["not the next", "not ended", "not merged", "no such print", "not the days"],
)  # fmt: skip
@pytest.mark.slow
def test_removal_against_the_rules_is_named(evening: Evening, changed: dict[str, Any]) -> None:
    drawn(evening)
    closed(evening)
    drawn(evening)
    assert set(applied(evening, after(40), **changed)) & {"rules_refuse", "entry_malformed"}


@pytest.mark.rule(52)
@pytest.mark.parametrize("hold", ["case", "complaint", "remark"])
@pytest.mark.slow
def test_removal_of_what_is_held_is_named(evening: Evening, hold: str) -> None:
    drawn(evening)
    if hold == "complaint":
        complained(evening)
    session = closed(evening)
    if hold == "case":
        opened(session)
    if hold == "remark":
        sealing.seal_acta(session=session, at=timezone.now())
        remarks.remark(evening, evening.who(Role.INSPECTOR))
    assert applied(evening, after(40)) == ["rules_refuse"]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_removal_of_the_session_whose_game_a_later_complaint_is_about_is_named(
    evening: Evening,
) -> None:
    drawn(evening)
    complained_later(evening)
    assert applied(evening, after(40)) == ["rules_refuse"]


@pytest.mark.slow
@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("days", "held", "code"),
    [(91, False, []), (89, False, ["rules_refuse"]), (91, True, ["rules_refuse"])],
    ids=["old", "too young", "held"],
)
def test_removal_of_looks_too_young_or_held_is_named(
    evening: Evening, days: int, held: bool, code: list[str]
) -> None:
    keep_for(evening, looks=90)
    drawn(evening)
    if held:
        complained(evening)
    closed(evening)
    lived(evening, 95)
    newest = after(100 - days)
    name = rules.look_line(first=1, last=7, said="a" * 64, head="b" * 64)
    items = [rules.RemovalItem("looks", name, newest, 7, newest)]
    kept_for = {"pictures": 0, "looks": 90, "prints": 0, "stills": 0, "admissions": 0}
    assert applied(evening, after(100), items=items, days=kept_for, sessions=[]) == code


@pytest.mark.slow
def test_false_signature_is_named(evening: Evening) -> None:
    drawn(evening)
    closed(evening)
    lived(evening, 32)
    other = signed_notes.NoteKey("bingo-journal/sala", Ed25519PrivateKey.generate())
    assert applied(evening, after(40), by=other) == ["removal_differs"]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_removal_that_another_key_signed_is_named(evening: Evening, tmp_path: Path) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    assert forget(hall=hall(), at=after(31)) == 1
    (tmp_path / "keys" / "sala.checkpoints" / "key-1.pem").unlink()
    signed_notes.make_note_key(tmp_path / "keys" / "sala.checkpoints", version=1)
    assert "removal_differs" in audit_codes()


@pytest.mark.slow
def test_renewed_key_signs_and_says_which_it_is(evening: Evening) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    checkpoints_services.vkeys(hall())
    who = evening.who(Role.HALL_MANAGER)
    checkpoints_services.renew_key(hall=hall(), **who)
    assert forget(hall=hall(), at=after(33)) == 1
    assert (entries()[0]["key"], audit_codes()) == (2, [])


@pytest.mark.slow
def test_hall_without_its_key_removes_nothing(evening: Evening, tmp_path: Path) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    checkpoints_services.deliver(hall(), at=after(0))
    lived(evening, 32)
    for file in (tmp_path / "keys" / "sala.checkpoints").glob("key-*.pem"):
        file.rename(tmp_path / file.name)
    with pytest.raises(Refusal, match="checkpoint_key_unreadable"):
        forget(hall=hall(), at=after(31))
    assert (kept(*readings), entries()) == ([True], [])


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_removal_of_admissions_that_lists_others_is_named(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    keep_for(evening, admissions=184)
    come_in(evening)
    drawn(evening)
    closed(evening)
    lived(evening, 190)
    with monkeypatch.context() as forged:
        forged.setattr(rules, "visits_end", lambda _text: 2)
        forged.setattr(retention_services, "finish", lambda **_asked: None)
        remove(hall=hall(), at=after(188))
        assert audit_codes() == ["removal_differs"]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_removals_are_good_where_the_key_that_signed_them_was_lost(evening: Evening) -> None:
    """The first key is named nowhere: only from the new one on are signatures looked at."""
    drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    assert forget(hall=hall(), at=after(32)) == 1
    drawn(evening, 44)
    closed(evening)
    lived(evening, 32)
    checkpoints_services.deliver(hall(), at=after(64))
    assert audit_codes() == []
    shutil.rmtree(checkpoints_queries.keys_folder(hall()))
    manager, chief = evening.person(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)
    checkpoints_services.accept(
        hall=hall(), by=manager, witness=chief, reason="disco perdido", at=after(64)
    )
    checkpoints_services.deliver(hall(), at=after(64))
    assert audit_codes() == []
    assert forget(hall=hall(), at=after(66)) == 1
    assert ([one["key"] for one in entries()], audit_codes()) == ([1, 2], [])
    shutil.rmtree(checkpoints_queries.keys_folder(hall()))
    assert "removal_differs" not in audit_codes()
