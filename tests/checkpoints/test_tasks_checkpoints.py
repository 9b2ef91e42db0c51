"""The newest checkpoint is printed once, where the hall wants it; a printer away loses none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pypdf import PdfReader

from bingo.celery_app import app
from draws import tasks as draws_tasks
from draws.models import Acta
from draws.record.audit import audit
from halls import sessions
from halls.checkpoints import queries as checkpoints_queries
from halls.models import Checkpoint, Hall, Role
from halls.policy.services import set_policy
from halls.tasks import write_checkpoints
from tests.support.escpos import printed
from tests.support.evening import Evening, tonight
from tests.support.printed_codes import coded
from tests.support.receipts_receipts import Printer, until_received

pytestmark = pytest.mark.django_db


@pytest.fixture
def printer() -> Iterator[Printer]:
    made = Printer()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def folders(settings: LazySettings, tmp_path: Path) -> None:
    """Keys of their own, and no disk."""
    settings.KEYS_DIR, settings.CHECKPOINT_DIRS = tmp_path / "keys", []


def closed(address: str = "", *, wanted: bool = True) -> Hall:
    """Return a hall whose session has closed, and whose first till has a printer."""
    evening = Evening()
    set_policy(
        hall=evening.hall, printers={"Caixa 1": address} if address else {},
        checkpoint_till="Caixa 1" if wanted else "", **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    again(evening)
    return evening.hall


def again(evening: Evening) -> None:
    """Hold a session, and close it."""
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
    evening.close()


def faults(hall: Hall) -> list[str]:
    return [one.fault for one in checkpoints_queries.faults(hall)]


@pytest.mark.slow
@pytest.mark.rule(58)
def test_newest_checkpoint_is_printed_once_with_its_code(printer: Printer) -> None:
    hall = closed(printer.address)
    draws_tasks.print_checkpoint(hall_id=hall.pk)
    draws_tasks.print_due_checkpoints()
    (sent,) = until_received(printer, 1)
    note, text = coded(sent)
    made = Checkpoint.objects.get()
    assert note == made.note
    lines = [line.text for line in printed(text)]
    assert "Sessão 1" in lines
    groups = [made.entry.digest[at : at + 4].upper() for at in range(0, 20, 4)]
    assert " ".join(groups) in lines
    assert (len(printer.received), faults(hall)) == (1, [])


@pytest.mark.slow
def test_lost_task_is_made_good_and_a_slip_covers_those_before(printer: Printer) -> None:
    hall = closed(printer.address)
    write_checkpoints(hall_id=hall.pk)
    again(Evening(hall=hall))
    draws_tasks.print_due_checkpoints()
    (sent,) = until_received(printer, 1)
    assert coded(sent)[0] == Checkpoint.objects.latest("number").note


@pytest.mark.slow
def test_printer_away_is_told_and_printed_when_it_is_back() -> None:
    printer = Printer()
    hall = closed(printer.address)
    printer.close()
    draws_tasks.print_due_checkpoints()
    assert faults(hall) == ["printer_unreachable"]
    told = Evening(hall=hall).at("manager").get("/manager/").content.decode()
    assert "checkpoint-faults" in told
    assert "printer:" not in told
    back = Printer(port=int(printer.address.rpartition(":")[2]))
    try:
        draws_tasks.print_due_checkpoints()
        assert (len(until_received(back, 1)), faults(hall)) == (1, [])
    finally:
        back.close()


@pytest.mark.rule(58)
def test_printer_that_broke_is_replaced_at_once(printer: Printer) -> None:
    hall = closed("10.0.0.1:9100")
    evening = Evening(hall=hall)
    set_policy(
        hall=hall, printers={"Caixa 1": printer.address}, checkpoint_till="Caixa 1",
        witness=evening.person(Role.TABLE_CHIEF), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    draws_tasks.print_due_checkpoints()
    assert (len(until_received(printer, 1)), faults(hall)) == (1, [])


@pytest.mark.rule(58)
def test_slips_go_on_when_their_move_to_another_till_comes_into_force_in_a_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = closed("10.0.0.1:9100")
    evening = Evening(hall=hall)
    set_policy(
        hall=hall, printers={"Caixa 2": "10.0.0.2:9100"}, checkpoint_till="Caixa 2",
        witness=evening.person(Role.TABLE_CHIEF), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    later = timezone.now() + timedelta(hours=25)
    monkeypatch.setattr(timezone, "now", lambda: later)
    printed_at = checkpoints_queries.printer(hall)
    assert printed_at == checkpoints_queries.Printer("Caixa 1", "10.0.0.1:9100")


@pytest.mark.parametrize("wanted", [False, True])
def test_hall_that_wants_none_prints_none(printer: Printer, wanted: bool) -> None:
    hall = closed(printer.address, wanted=False)
    if wanted:
        # It holds from the next session on.
        set_policy(
            hall=hall, printers={"Caixa 1": printer.address}, checkpoint_till="Caixa 1",
            **Evening(hall=hall).who(Role.HALL_MANAGER),
        )  # fmt: skip
    draws_tasks.print_due_checkpoints()
    assert (printer.received, faults(hall)) == ([], [])


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_carries_the_checkpoint_of_its_sessions_end() -> None:
    hall = closed(wanted=False)
    draws_tasks.seal_due_actas()
    acta = Acta.objects.get()
    made = Checkpoint.objects.get()
    assert made.number == acta.head_number
    told = PdfReader(BytesIO(bytes(acta.pdf))).pages[-1].extract_text()
    assert " ".join(acta.head_digest[at : at + 4].upper() for at in range(0, 20, 4)) in told
    assert audit(Hall.objects.get(pk=hall.pk)) == []


@pytest.mark.slow
def test_acta_is_sealed_without_a_key_of_checkpoints() -> None:
    hall = closed(wanted=False)
    folder = checkpoints_queries.keys_folder(hall)
    folder.mkdir(parents=True)
    (folder / "key-1.pem").write_text("no key")
    draws_tasks.seal_due_actas()
    assert (Acta.objects.count(), faults(hall)) == (1, ["checkpoint_key_unreadable"])


def test_worker_knows_the_tasks() -> None:
    app.loader.import_default_modules()
    assert {"draws.print_checkpoint", "draws.print_due_checkpoints"} <= set(app.tasks)
