"""The owner of the database writes all digests anew: the files of actas, a witness and paper tell."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from bingo import signed_notes
from bingo.pdf import SealError
from bingo.rules.checkpoints_and_clock import Comparison
from draws.models import Acta, SealFault
from draws.record import sealing
from halls import sessions
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, Hall, Role
from halls.witness.cosigning import Memory
from tests.support import database, planting, rewriting, witness
from tests.support.evening import Evening, tonight

TABLE = "halls_checkpoint"


@pytest.fixture(scope="module")
def owned(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Evening, Memory]]:
    """A hall with two sealed sessions, their ends signed and cosigned; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        folder = tmp_path_factory.mktemp("hall")
        (folder / "disk").mkdir()
        patch.setattr("django.conf.settings.KEYS_DIR", folder / "keys")
        patch.setattr("django.conf.settings.CHECKPOINT_DIRS", [str(folder / "disk")])
        evening = Evening().reach("session")
        memory = witness.of_hall(evening.hall, folder / "witness")
        with witness.answering(memory) as server:
            patch.setattr("django.conf.settings.WITNESSES", {})
            witness.tell(memory, server)
            for _turn in range(2):
                rewriting.hold_and_seal(evening)
            with planting.as_owner_of(fresh):
                yield evening, memory


@pytest.fixture
def hall(owned: tuple[Evening, Memory]) -> Iterator[Hall]:
    """The hall in a transaction of its owner that is rolled back, its files brought back too."""
    hall = owned[0].hall
    kept = {
        file: file.read_bytes()
        for folder in (checkpoints_queries.keys_folder(hall), Path(settings.CHECKPOINT_DIRS[0]))
        for file in folder.rglob("*")
        if file.is_file()
    }
    kept[rewriting.rng_file(hall)] = rewriting.rng_file(hall).read_bytes()
    with transaction.atomic():
        yield Hall.objects.get(pk=hall.pk)
        transaction.set_rollback(True)
    for file, content in kept.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def codes(hall: Hall) -> set[str]:
    return {code for _number, code in planting.found(hall)}


def audited(memory: Memory) -> tuple[int, str]:
    """Return the audit's exit code and words, with the witness asked."""
    url, key = settings.WITNESSES[witness.NAME]
    out = StringIO()
    try:
        call_command("audit", hall="sala", witness=url, witness_key=key, stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.rule(58)
@pytest.mark.slow
def test_what_nobody_touched_is_whole(hall: Hall, owned: tuple[Evening, Memory]) -> None:
    code, said = audited(owned[1])
    assert (code, Acta.objects.count()) == (0, 2), said
    newest = checkpoints_queries.newest(hall)
    assert newest is not None
    assert f"as {witness.NAME} has seen it up to entry {newest.number}" in said


@pytest.mark.rule(58)
@pytest.mark.slow
def test_head_moved_away_after_a_rewriting_stops_all_and_the_actas_tell(hall: Hall) -> None:
    """The attack: rows patched, the last checkpoints' rows removed, the head's file moved."""
    rewriting.rewrite_journal(hall)
    last, before = Checkpoint.objects.filter(hall=hall).order_by("-number")[:2]
    planting.plant("halls_cosignature", "DELETE FROM halls_cosignature")
    for row in (last, before):
        planting.plant(TABLE, f"DELETE FROM {TABLE} WHERE id = %s", row.pk)
    signed = Checkpoint.objects.count()
    folder = checkpoints_queries.keys_folder(hall)
    (folder / signed_notes.NAME).unlink()
    assert "acta_head_differs" in codes(hall)
    for _turn in range(2):
        assert "checkpoint_history_rewritten" in rewriting.deliver(hall)
    assert (Checkpoint.objects.count(), (folder / signed_notes.NAME).exists()) == (signed, False)
    session = hall.sessions.get(number=1)
    planting.plant("draws_acta", "DELETE FROM draws_acta WHERE session_id = %s", session.pk)
    with pytest.raises(SealError, match="history_unproven"):
        sealing.seal_acta(session=session, at=timezone.now())


@pytest.mark.rule(58)
@pytest.mark.slow
def test_nothing_is_sealed_where_keys_rows_and_memories_are_all_taken_away(hall: Hall) -> None:
    rewriting.rewrite_journal(hall)
    rewriting.forget_signatures(hall)
    for folder in (
        checkpoints_queries.keys_folder(hall),
        Path(settings.CHECKPOINT_DIRS[0]) / "sala",
    ):
        shutil.rmtree(folder)
    rewriting.rng_file(hall).unlink()
    assert checkpoints_services.has_lost_all(hall)
    session = hall.sessions.get(number=1)
    planting.plant("draws_acta", "DELETE FROM draws_acta WHERE session_id = %s", session.pk)
    rewriting.enable_triggers()
    sealing.session(session)
    assert not Acta.objects.filter(session=session).exists()
    assert SealFault.objects.get(session=session).code == "history_unproven"
    assert "checkpoint_key_unreadable" in rewriting.deliver(hall)


@pytest.mark.rule(58)
@pytest.mark.slow
def test_owner_with_every_file_of_the_machine_is_found_by_the_witness(
    hall: Hall, owned: tuple[Evening, Memory]
) -> None:
    """Database, keys, head, the process's memory and the second folder: all signed anew."""
    kept = checkpoints_queries.newest(hall)
    assert kept is not None
    rewriting.rewrite_journal(hall)
    rewriting.sign_anew(hall)
    # The files of actas would tell: he drops them.
    planting.plant("draws_acta", "DELETE FROM draws_acta")
    assert not codes(hall) & {"acta_head_differs", "checkpoint_differs", "checkpoint_history_rewritten"}  # fmt: skip
    code, said = audited(owned[1])
    assert code == 1
    assert "witness_differs" in said
    # What was printed tells it as well.
    (found,) = checkpoints_queries.hold(hall, kept.note, checkpoints_services.vkeys(hall))
    assert found.comparison == Comparison.REWRITTEN


@pytest.mark.rule(58)
@pytest.mark.slow
def test_rewritten_history_that_goes_on_is_refused_by_the_witness_and_no_more_is_signed(
    hall: Hall, owned: tuple[Evening, Memory]
) -> None:
    rewriting.rewrite_journal(hall)
    rewriting.sign_anew(hall)
    evening, memory = owned
    signed, seen = Checkpoint.objects.count(), memory.state("sala")
    planting.plant("draws_acta", "DELETE FROM draws_acta")
    rewriting.enable_triggers()
    who = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=hall, checked=True, ends_at=tonight(), **who)
    evening.close()
    for _turn in range(2):
        assert "checkpoint_witness_conflict" in rewriting.deliver(Hall.objects.get(pk=hall.pk))
    assert Checkpoint.objects.count() == signed
    assert memory.state("sala") == seen
