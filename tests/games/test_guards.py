"""What PostgreSQL itself refuses, to the application's own role and, where triggers guard, to all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Model
from django.db.models.deletion import ProtectedError
from django.utils import timezone

from draws.models import (
    Acta,
    Ball,
    Card,
    ClaimCheck,
    Departure,
    Game,
    Issue,
    Pattern,
    Payment,
    PrintJob,
    Prize,
    Recount,
    Refund,
    Retirement,
    Sale,
    Series,
    SetAside,
    Transfer,
    UsedDestruction,
)
from halls.models import (
    Authorisation,
    CashMovement,
    Hall,
    JournalEntry,
    Person,
    Role,
    Session,
    Shift,
    Slip,
)
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import again
from tests.support.service_commands.cards import count, print_cards, retire, save_pattern, send

pytestmark = pytest.mark.django_db

APPEND_ONLY: tuple[type[Model], ...] = (
    JournalEntry, CashMovement, Authorisation, Series, Card, Sale, Refund, Payment, ClaimCheck, Acta,
    Pattern, Retirement, Recount, Slip, UsedDestruction, SetAside, Departure,
)  # fmt: skip


@pytest.fixture
def paying() -> Evening:
    """A game whose bingo has been won and is to be paid."""
    return Evening().reach("paying")


@pytest.fixture
def selling() -> Evening:
    """A game with cards 1 to 6 sold."""
    return Evening().reach("sold")


def refused(constraint: str) -> Any:
    """Expect PostgreSQL to refuse by the constraint of that name."""
    return pytest.raises(IntegrityError, match=constraint)


@pytest.mark.rule(60)
def test_second_open_game_of_a_session_is_refused(selling: Evening) -> None:
    game = selling.game
    with refused("one_open_game_a_session"), transaction.atomic():
        Game.objects.create(
            session=game.session, number=2, issue=game.issue, face=1, phase="prepared",
            opened_at=timezone.now(),
        )  # fmt: skip


def test_second_open_session_of_a_hall_is_refused(selling: Evening) -> None:
    old = selling.session
    with refused("one_open_session_a_hall"), transaction.atomic():
        Session.objects.create(
            hall=old.hall, number=2, authorisation=old.authorisation, opened_at=timezone.now(),
            opened_by=old.opened_by, state={},
        )  # fmt: skip


@pytest.mark.parametrize(
    ("same", "constraint"),
    [("till", "one_open_shift_a_till"), ("cashier", "one_open_shift_a_cashier")],
)
def test_second_open_shift_is_refused(selling: Evening, same: str, constraint: str) -> None:
    shift = selling.shift
    other = {"till": selling.hall.tills.last(), "cashier": selling.hall.people.last()}
    fields = other | {same: getattr(shift, same)}
    with refused(constraint), transaction.atomic():
        Shift.objects.create(session=shift.session, number=9, opened_at=timezone.now(), **fields)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"number": 1}, "ball_once_a_game"),
        ({"order": 15, "previous": 14}, "ball_order_once"),
        ({"order": 17, "previous": 15}, "ball_order_without_gap"),
        ({"order": 18, "previous": 17}, "ball_follows_a_ball"),
        ({"number": 0}, "ball_number_positive"),
    ],
)
def test_forged_ball_is_refused(paying: Evening, changed: dict[str, Any], constraint: str) -> None:
    game = paying.game
    unused = next(n for n in range(1, 91) if not game.balls.filter(number=n).exists())
    drawn = game.balls.earliest("order").number
    fields = {"game": game, "order": 16, "previous": 15, "number": unused, "source": "rng"}
    changed = {**changed, "number": drawn} if changed.get("number") == 1 else changed
    with refused(constraint), transaction.atomic():
        Ball.objects.create(at=timezone.now(), **(fields | changed))
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.slow
@pytest.mark.rule(50)
def test_second_prize_and_second_payment_of_a_card_are_refused(paying: Evening) -> None:
    prize = Prize.objects.filter(combination="bingo")[0]
    with refused("prize_once_a_card"), transaction.atomic():
        Prize.objects.create(
            game=prize.game,
            combination="bingo",
            issue=prize.issue,
            card=prize.card,
            amount=1,
            tax=0,
        )
    entries = list(JournalEntry.objects.all()[:2])
    paid = {
        "game": prize.game, "issue": prize.issue, "card": prize.card, "amount": 1,
        "shift": paying.shift, "at": timezone.now(),
    }  # fmt: skip
    Payment.objects.create(entry=entries[0], **paid)
    with refused("card_paid_once_r50"), transaction.atomic():
        Payment.objects.create(entry=entries[1], **paid)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "values", "constraint"),
    [
        (Game, {"phase": "dancing"}, "game_phase_known"),
        (Game, {"phase": "complete"}, "game_complete_has_ended"),
        (Session, {"closed_at": timezone.now()}, "session_closed_at_with_by"),
        (Shift, {"closed_at": timezone.now()}, "shift_closed_at_with_count"),
        (Prize, {"tax": 10**12}, "prize_handed_over_within"),
        (Prize, {"left_over": 10**12}, "prize_handed_over_within"),
        (Prize, {"amount": -1}, "amount"),
        (Hall, {"jackpot_balance": -1}, "hall_jackpot_not_negative"),
        (Person, {"roles": ["king"]}, "person_roles_known"),
    ],
)
def test_value_that_cannot_be_is_refused(
    paying: Evening, model: type[Model], values: dict[str, Any], constraint: str
) -> None:
    with refused(constraint), transaction.atomic():
        plant(model._default_manager.all(), **values)


def test_jackpot_without_a_limit_is_refused(paying: Evening) -> None:
    granted = Authorisation.objects.all()[0]
    granted.pk, granted.jackpot_rate, granted.jackpot_limit = None, 300, 0
    granted.jackpot_terms = {}
    with refused("authorisation_jackpot_has_limit_r9"), transaction.atomic():
        granted.save(force_insert=True)


def test_parent_with_children_is_not_deleted(paying: Evening) -> None:
    with pytest.raises(ProtectedError):
        Series.objects.all().delete()


@pytest.mark.rule(58)
@pytest.mark.parametrize("model", APPEND_ONLY)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {}"])
def test_application_may_not_change_what_only_grows(model: type[Model], statement: str) -> None:
    if model is Sale and "DELETE" in statement:
        Evening().reach("sold")  # of sales a trigger lets those alone go that were taken back
    with (
        pytest.raises(Error, match=r"permission denied|draws_sale is append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(model._meta.db_table))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Issue, {}, "issue_identification_once_a_hall"),
        (Issue, {"identification": "9", "face": 0}, "issue_face_positive"),
        (Issue, {"identification": "9", "last_sold": -1}, "last_sold"),
        (Card, {}, "card_number_once_a_series"),
        (Card, {"number": 0}, "card_number_from_one"),
        (Issue, {"identification": "9", "place": "lost"}, "issue_place_known"),
        (Series, {"version": 2}, "matrix_once_a_hall"),
        (Series, {"digest": "0" * 64}, "series_version_once"),
        (Series, {"digest": "0" * 64, "version": 2, "source": "found"}, "series_source_known"),
        (Series, {"digest": "0" * 64, "version": 2, "size": 0}, "series_size_positive"),
        (Series, {"digest": "0" * 64, "version": -1}, "version"),
        (Game, {"phase": "complete", "ended_at": timezone.now()}, "game_number_once"),
        (
            Game,
            {
                "number": 2,
                "face": -1,
                "phase": "complete",
                "ended_at": timezone.now(),
                "commitment": None,
            },
            "face",
        ),
        (ClaimCheck, {"entry_id": 1}, "claim_right_once"),
        (ClaimCheck, {"valid": False}, "claim_wrong_has_reason"),
        (ClaimCheck, {"valid": True, "reason": "not_sold"}, "claim_wrong_has_reason"),
    ],
)
def test_row_that_cannot_be_is_refused(
    paying: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    with refused(constraint):
        again(model._default_manager.order_by("pk")[0], **changed)


@pytest.fixture
def stocked() -> Evening:
    """A hall with a figure, and a second issue that was counted, partly retired, printed, sent."""
    evening = Evening()
    for act in (save_pattern, count, retire, print_cards, send):
        act(evening, evening.who(Role.HALL_MANAGER))
    return evening


@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Pattern, {"drawing": "x"}, "pattern_name_once_a_hall"),
        (Pattern, {"name": "x"}, "pattern_drawing_once_a_hall"),
        (Retirement, {"first": 0, "last": 1}, "retirement_not_empty"),
        (Retirement, {"first": 12, "last": 11}, "retirement_not_empty"),
        (Retirement, {"first": 10, "last": 12}, "entry_id"),
        (Recount, {"counted": 89, "comment": ""}, "recount_difference_has_comment"),
        (Recount, {"counted": -1, "comment": "x"}, "counted"),
        (Transfer, {"entry_id": 0}, "one_open_transfer_an_issue"),
        (Transfer, {"recalled_at": timezone.now()}, "entry_id"),
        (PrintJob, {"first": 0}, "print_not_empty"),
        (PrintJob, {"first": 13, "last": 12}, "print_not_empty"),
        (PrintJob, {"state": "lost"}, "print_state_known"),
        (PrintJob, {"state": "done"}, "print_done_has_file"),
        (PrintJob, {"state": "done", "pages": 1, "digest": "x"}, "print_done_has_file"),
        (PrintJob, {"drawn": 13}, "print_drawn_within_range"),
        (PrintJob, {}, "entry_id"),
    ],
)
def test_row_of_the_stock_that_cannot_be_is_refused(
    stocked: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    with refused(constraint):
        again(model._default_manager.order_by("pk")[0], **changed)


def test_transfer_that_arrived_and_was_called_back_is_refused(stocked: Evening) -> None:
    with refused("transfer_arrives_or_is_recalled"), transaction.atomic():
        Transfer.objects.update(arrived=stocked.issue(1), recalled_at=timezone.now())


def test_card_is_retired_once_and_others_beside_it(stocked: Evening) -> None:
    entry = JournalEntry.objects.order_by("pk")[0]
    for first, last in ((9, 12), (1, 8), (1, 90)):
        with refused("card_retired_once"):
            again(Retirement.objects.get(), first=first, last=last, entry=entry)
    again(Retirement.objects.get(), first=10, last=12, entry=entry)


@pytest.mark.rule(58)
def test_acta_without_a_head_and_a_second_acta_are_refused(paying: Evening) -> None:
    entries = list(JournalEntry.objects.all()[:2])
    fields = {
        "session": paying.session, "pdf": b"%PDF", "digest": "0" * 64, "head_digest": "0" * 64,
        "certificate": "", "sealed_at": timezone.now(),
    }  # fmt: skip
    with refused("acta_has_a_head"), transaction.atomic():
        Acta.objects.create(entry=entries[0], head_number=0, **fields)
    Acta.objects.create(entry=entries[0], head_number=1, **fields)
    with refused("session_id"), transaction.atomic():
        Acta.objects.create(entry=entries[1], head_number=1, **fields)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["draws_game", "draws_issue"])
def test_parent_is_not_deleted_past_django_either(paying: Evening, table: str) -> None:
    with (
        pytest.raises(Error, match=r"violates foreign key|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"DELETE FROM {table}; SET CONSTRAINTS ALL IMMEDIATE")


def test_every_constraint_is_tried() -> None:
    tests = Path(__file__).parents[1]
    tried = "".join(path.read_text(encoding="utf-8") for path in tests.rglob("test_guards*.py"))
    named = {
        constraint.name
        for app in ("halls", "draws")
        for model in apps.get_app_config(app).get_models()
        for constraint in model._meta.constraints
    }
    assert {name for name in named if name not in tried} == set()
