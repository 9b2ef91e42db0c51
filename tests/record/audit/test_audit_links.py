"""The audit finds what was changed of a jackpot of several halls, and where it begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from draws.record.audit import jackpots
from halls import jackpots as halls_jackpots
from halls.models import Hall, JournalEntry, Link, LinkMember, LinkMovement, Role
from tests.support import database, planting, planting_rows
from tests.support.evening import Evening, within
from tests.support.linked_jackpots import CODE, Linked, fund, linked
from tests.support.planting import plant, rewrite

Halls = tuple[Linked, Linked]
ENTRY = "(SELECT max(id) FROM halls_journalentry)"


@pytest.fixture(scope="module")
def owned(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Halls]:
    """Two halls of which one has won what both had added to; their owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
    ):
        halls = linked("a"), linked("b")
        fund(halls[0])
        halls[0].reach("closed")
        halls[1].reach("awarded")
        with planting.as_owner_of(fresh):
            yield halls


@pytest.fixture
def halls(owned: Halls) -> Iterator[Halls]:
    """The halls, in a transaction of their owner that is rolled back."""
    with transaction.atomic():
        yield owned
        transaction.set_rollback(True)


def found() -> list[tuple[int, str]]:
    """Return what the audit of the link finds: movement and code."""
    return [(one.number, one.code) for one in jackpots.audit(Link.objects.get())]


def of_halls(halls: Halls) -> list[str]:
    """Return what the audits of the halls find."""
    return [code for one in halls for _number, code in planting.found(one.hall)]


@pytest.mark.slow
def test_audit_of_halls_and_link_finds_nothing(halls: Halls) -> None:
    assert (found(), of_halls(halls)) == ([], [])


@pytest.mark.slow
@pytest.mark.rule(10)
@pytest.mark.parametrize(
    ("model", "changed", "finding"),
    [
        (Link, {"balance": 1}, (5, "link_differs")),
        (Link, {"head_number": 4}, (5, "link_differs")),
        (LinkMember, {"waiting": 1}, (5, "link_differs")),
    ],
)
def test_audit_of_the_link_finds_a_changed_row(
    halls: Halls, model: Any, changed: dict[str, int], finding: tuple[int, str]
) -> None:
    model.objects.filter(pk=model.objects.order_by("pk")[0].pk).update(**changed)
    assert found()[0] == finding


@pytest.mark.rule(10)
@pytest.mark.slow
def test_audit_finds_a_movement_that_is_gone_at_the_end(halls: Halls) -> None:
    plant("halls_linkmovement", "DELETE FROM halls_linkmovement WHERE number = 5")
    assert found()[0] == (4, "link_differs")
    assert of_halls(halls) == ["link_movement_differs"]


@pytest.mark.rule(10)
@pytest.mark.slow
def test_audit_finds_a_smaller_accrual_though_ledger_and_balance_agree(halls: Halls) -> None:
    cut = "ALTER TABLE halls_linkmovement DROP CONSTRAINT link_movement_chained"
    plant("halls_linkmovement", cut)
    # A cent less came in, and a cent less is held of it from there on.
    last = LinkMovement.objects.get(number=5)
    plant(
        "halls_linkmovement",
        "UPDATE halls_linkmovement SET amount = amount - 1, balance = balance - 1 WHERE number = %s",
        last.number,
    )
    Link.objects.update(balance=last.balance - 1)
    assert found() == [(5, "link_differs")]
    assert of_halls(halls) == ["link_movement_differs"]


@pytest.mark.slow
@pytest.mark.rule(6)
def test_award_that_took_what_waits_elsewhere_is_found(halls: Halls) -> None:
    cut = "ALTER TABLE halls_linkmovement DROP CONSTRAINT link_movement_chained"
    plant("halls_linkmovement", cut)
    plant(
        "halls_linkmovement",
        "UPDATE halls_linkmovement SET amount = -before, balance = 0 WHERE number = 4",
    )
    assert found() == [(4, "rules_refuse")]


@pytest.mark.slow
def test_movement_of_another_halls_entry_is_found(halls: Halls) -> None:
    plant(
        "halls_linkmovement", f"UPDATE halls_linkmovement SET entry_id = {ENTRY} WHERE number = 1"
    )
    assert (1, "link_differs") in found()


@pytest.mark.rule(9)
@pytest.mark.slow
def test_terms_of_the_link_that_no_hall_told_are_found(halls: Halls) -> None:
    planting_rows.plant(Link.objects.all(), limits=within(41))
    assert of_halls(halls) == ["link_member_differs", "link_member_differs"]


@pytest.mark.slow
def test_hall_struck_from_the_link_is_found(halls: Halls) -> None:
    plant("halls_linkmember", "DELETE FROM halls_linkmember WHERE hall_id = %s", halls[1].hall.pk)
    assert "link_differs" in [code for _number, code in found()]
    assert of_halls(halls) == ["link_member_differs"]


@pytest.mark.slow
def test_command_tells_of_the_link_too(halls: Halls, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit")
    assert "link ilhas: whole" in capsys.readouterr().out
    Link.objects.update(balance=1)
    with pytest.raises(SystemExit):
        call_command("audit", "--hall", "a")
    assert "link ilhas: BROKEN, first at movement 5" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.rule(10)
@pytest.mark.parametrize("field", ["amount", "reference", "level", "origin"])
def test_move_without_its_counterpart_is_found_on_both_sides(halls: Halls, field: str) -> None:
    here, there = Evening("c"), Evening("d")
    halls_jackpots.move_jackpot(
        hall=here.hall, to=there.hall, reference="12/2026", **here.who(Role.HALL_MANAGER)
    )
    assert planting.found(here.hall) == planting.found(there.hall) == []
    last = JournalEntry.objects.get(kind="jackpot_received", hall=there.hall)
    forged = {"amount": 1, "reference": "13/2026", "level": 1, "origin": "a"}
    rewrite(last, last.data | {field: forged[field]})
    given = JournalEntry.objects.get(kind="jackpot_moved", hall=here.hall)
    assert planting.found(here.hall) == [(given.number, "counterpart_missing")]
    if field in ("reference", "origin"):
        assert planting.found(there.hall) == [(last.number, "counterpart_missing")]


@pytest.mark.slow
def test_move_to_a_hall_that_is_elsewhere_is_not_asked_for(halls: Halls) -> None:
    here, there = Evening("c"), Evening("d")
    halls_jackpots.move_jackpot(
        hall=here.hall, to=there.hall, reference="12/2026", **here.who(Role.HALL_MANAGER)
    )
    planting_rows.plant(Hall.objects.filter(pk=there.hall.pk), code="elsewhere")
    assert planting.found(here.hall) == []


@pytest.mark.rule(12)
def test_link_that_was_revived_or_closed_without_an_entry_is_found(halls: Halls) -> None:
    Link.objects.update(ended_at=timezone.now(), balance=0)
    assert "link_differs" in [code for _number, code in found()]


@pytest.mark.django_db
@pytest.mark.rule(12)
def test_link_that_has_ended_and_is_open_again_is_found() -> None:
    here = linked("a")
    fund(here)
    halls_jackpots.end_jackpot(
        hall=here.hall, link=CODE, to="Caritas", reference="9/2026", **here.who(Role.HALL_MANAGER)
    )
    assert found() == []
    Link.objects.update(ended_at=None)
    assert found() == [(2, "link_differs")]
