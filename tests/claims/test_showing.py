"""The called card itself, shown to the hall while it is checked, kept, and held against its file (R43)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.db.utils import ProgrammingError
from django.utils import translation

from bingo.rules.refusal import Refusal
from draws.balls import queries as balls_queries
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.models import ShownCard
from draws.record import journal_text
from draws.record.archive.contents import parts
from draws.record.archive.contents import picture as archived
from draws.record.archive.sheets import ArchivePeriod
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support import custody_hall
from tests.support.evening import Evening
from tests.support.photographs import photograph, shown
from tests.support.playing import refuses
from tests.support.session_ends import ended

pytestmark = [pytest.mark.django_db, pytest.mark.rule(43)]


@pytest.fixture
def evening() -> Evening:
    """A hall whose table looks at card 1, which is right."""
    return Evening().reach("checked")


def chief(evening: Evening) -> dict[str, Any]:
    return evening.who(Role.TABLE_CHIEF)


def findings(evening: Evening) -> list[str]:
    return [one.code for one in audit(Hall.objects.get(pk=evening.hall.pk))]


def on_the_board() -> Any:
    return board("sala")[1]["check"]["picture"]


@pytest.mark.slow
def test_hall_sees_the_newest_picture_of_the_card_that_is_checked(evening: Evening) -> None:
    assert on_the_board() is None
    first = shown(evening, chief(evening))
    entry = JournalEntry.objects.latest("number")
    told = {"check": first.claim.entry.number, "issue": evening.issue().pk, "card": 1}
    assert entry.data == told | {"picture": first.picture}
    assert (entry.kind, entry.game) == ("card_shown", 1)
    assert on_the_board() == f"/pictures/{first.picture}.jpg"
    again = shown(evening, chief(evening), text="again")
    assert on_the_board() == f"/pictures/{again.picture}.jpg" != f"/pictures/{first.picture}.jpg"
    assert balls_queries.is_public(first.picture)
    assert findings(evening) == []
    with translation.override("pt"):
        assert journal_text.describe_entry(entry) == f"1 · SHA-256 {first.picture}"


@pytest.mark.slow
def test_another_check_takes_the_picture_from_the_board(evening: Evening) -> None:
    before = shown(evening, chief(evening))
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=2, sound=True,
        **chief(evening),
    )  # fmt: skip
    assert on_the_board() is None
    with refuses(Refusal("card_not_looked_at")):
        shown(evening, chief(evening), check=before.claim.entry.number)
    assert ShownCard.objects.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["drawing", "stopped", "awarded", "paying"])
def test_nothing_is_shown_while_no_card_is_looked_at(stage: str) -> None:
    evening = Evening().reach(stage)
    checked = JournalEntry.objects.filter(kind="claim_checked").last()
    assert (checked is None) == (stage in ("drawing", "stopped"))
    number = checked.number if checked else 1
    with refuses(Refusal("card_not_looked_at")):
        claims_services.show_card(
            game=evening.game, check=number, picture=photograph(), **chief(evening)
        )


@pytest.mark.slow
def test_only_the_chief_of_this_hall_shows(evening: Evening) -> None:
    game = evening.game
    other = Evening("outra").reach("checked")
    for who in (chief(other), evening.who(Role.CALLER), evening.who(Role.CASHIER)):
        with refuses(Refusal("not_allowed", roles=["table_chief"])):
            shown(evening, who, game=game, check=1)
    assert not ShownCard.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("file", [b"", b"GIF89a", b"\xff\xd8\xff" + b"x" * 600_000 + b"\xff\xd9"])
def test_what_is_no_picture_is_refused(evening: Evening, file: bytes) -> None:
    with refuses(Refusal("bad_picture")):
        shown(evening, chief(evening), picture=file)


@pytest.mark.slow
def test_changed_or_lost_file_and_row_are_found(evening: Evening) -> None:
    one = shown(evening, chief(evening))
    place = balls_queries.picture_path(one.picture)
    whole = place.read_bytes()
    place.write_bytes(whole[:-2] + b"\x00\xff\xd9")
    assert findings(evening) == ["picture_differs"]
    place.unlink()
    assert findings(evening) == ["picture_missing"]
    place.write_bytes(whole)
    assert findings(evening) == []


@pytest.mark.slow
def test_picture_never_changes(evening: Evening) -> None:
    shown(evening, chief(evening))
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        ShownCard.objects.update(picture="0" * 64)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        ShownCard.objects.all().delete()


@pytest.mark.slow
@pytest.mark.rule(52)
def test_picture_is_kept_archived_and_removed_with_those_of_the_balls(evening: Evening) -> None:
    one = shown(evening, chief(evening))
    evening.reach("paying")
    custody_hall.completed(evening)
    ended(evening)
    hall = Hall.objects.get(pk=evening.hall.pk)
    assert not balls_queries.is_public(one.picture)
    assert balls_queries.is_of(hall, one.picture)
    assert balls_queries.list_expired_pictures(hall, [(1, 1)], ()) == {one.picture: one.seen_at}
    assert balls_queries.list_expired_pictures(hall, [(2, 9)], ()) == {}
    assert balls_queries.needed(hall, [one.picture], [(2, 9)], ()) == {one.picture}
    assert balls_queries.needed(hall, [one.picture], [(1, 1)], ()) == set()
    day = one.seen_at.date()
    period = ArchivePeriod(hall, day, day)
    names = [part.name for part in parts(period, with_pictures=True)]
    assert archived(one.picture) in names
