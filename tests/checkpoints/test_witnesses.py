"""A hall sends its checkpoints to a witness, goes on without it, and stops where they disagree."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from bingo import signed_notes
from bingo.pdf import SealError
from bingo.rules import checkpoints_and_clock
from bingo.settings import witnesses as read_witnesses
from draws.record import sealing
from draws.record.archive import contents
from draws.record.archive.sheets import ArchivePeriod
from draws.record.verifier import command
from halls import training
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.checkpoints import witnesses
from halls.models import Checkpoint, CheckpointPlace, Cosignature, Hall, Role
from halls.witness import notes
from halls.witness.cosigning import Memory
from tests.support import witness
from tests.support.checkpoints import again, hall
from tests.support.evening import Evening, browser_of
from tests.support.rewriting import deliver, rng_file
from tests.support.witness import NAME, answering, tell

__all__ = ["hall"]  # the fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(hall: Hall, tmp_path: Path, settings: LazySettings) -> Memory:
    """A witness that knows the hall's key."""
    settings.WITNESSES = {}
    return witness.of_hall(hall, tmp_path / "witness")


def size(memory: Memory) -> int:
    known = memory.state("sala")
    return known.note.number if known and known.note else 0


def newest() -> Checkpoint:
    return Checkpoint.objects.latest("number")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_checkpoint_is_cosigned_kept_shown_and_verified(
    hall: Hall, memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(memory) as server:
        tell(memory, server)
        assert deliver(hall) == []
        again(hall)
        assert deliver(hall) == []
    assert (Cosignature.objects.count(), size(memory)) == (2, newest().number)
    inspector = browser_of(Evening(hall=hall).person(Role.INSPECTOR))
    page = inspector.get("/inspector/checkpoints/").content.decode()
    assert NAME in page
    assert memory.key.written in page
    file = tmp_path / "kept.checkpoint"
    file.write_bytes(inspector.get(f"/inspector/checkpoints/{newest().number}/").content)
    (vkey,) = checkpoints_services.vkeys(hall)
    key = memory.key.written
    assert command.main(["--key", vkey, "--witness", key, str(file)]) == 0
    assert f"cosigned by the witness {NAME}" in capsys.readouterr().out
    # Who knows the witness's key alone trusts what it cosigned; without it, it is said.
    assert command.main(["--key", vkey, str(file)]) == 0
    assert "give --witness" in capsys.readouterr().out
    call_command("export_journal", hall="sala", out=tmp_path / "j.jsonl")
    assert (
        command.main(["--key", vkey, "--witness", key, str(file), str(tmp_path / "j.jsonl")]) == 0
    )
    file.write_text(file.read_text().replace("session 2", "session 3"))
    assert command.main(["--witness", key, str(file)]) == 1
    assert "false cosignature" in capsys.readouterr().out


@pytest.mark.slow
def test_archive_holds_the_cosigned_checkpoint(hall: Hall, memory: Memory) -> None:
    with answering(memory) as server:
        tell(memory, server)
        deliver(hall)
    today = timezone.now().date()
    found = contents.parts(ArchivePeriod(hall, today, today), with_pictures=False)
    (part,) = [one for one in found if one.name.startswith("checkpoints/")]
    assert b"".join(part.read()).decode() == checkpoints_queries.cosigned(newest())
    assert f"{NAME} " in checkpoints_queries.cosigned(newest())


@pytest.mark.rule(58)
@pytest.mark.slow
def test_witness_that_is_away_stops_nothing_and_is_sent_what_it_missed(
    hall: Hall, memory: Memory
) -> None:
    with answering(memory) as server:
        tell(memory, server)
        port = server.server_port
        assert deliver(hall) == []
    first = newest().number
    for _turn in range(3):
        again(hall)
        assert deliver(hall) == ["checkpoint_witness_away"]
    sealing.seal_acta(session=hall.sessions.get(number=2), at=timezone.now())
    assert (Checkpoint.objects.count(), Cosignature.objects.count(), size(memory)) == (4, 1, first)
    for role, path in ((Role.HALL_MANAGER, "/manager/"), (Role.INSPECTOR, "/inspector/checkpoints/")):  # fmt: skip
        told = browser_of(Evening(hall=hall).person(role)).get(path).content.decode()
        assert NAME in told
    row = CheckpointPlace.objects.get(place=f"witness:{NAME}")
    since = row.since
    assert checkpoints_queries.checkpoint_fault(row).endswith(".")
    assert deliver(hall) == ["checkpoint_witness_away"]
    assert CheckpointPlace.objects.get(pk=row.pk).since == since
    with answering(memory, port=port):
        assert deliver(hall) == []
    assert (Cosignature.objects.count(), size(memory)) == (
        Checkpoint.objects.count(),
        newest().number,
    )


@pytest.mark.slow
@pytest.mark.rule(58)
def test_witness_that_saw_another_history_stops_the_signer(hall: Hall, memory: Memory) -> None:
    deliver(hall)
    (key,) = checkpoints_queries.kept(hall).values()
    other = checkpoints_and_clock.JournalHead("sala", newest().number, "ab" * 32)
    memory.add(notes.Request(0, (), notes.read_note(signed_notes.sign_note(checkpoints_and_clock.written(other), [key]))))  # fmt: skip
    with answering(memory) as server:
        tell(memory, server)
        assert deliver(hall) == ["checkpoint_witness_conflict"]
        again(hall)
        # Told once, by the witness's name.
        assert deliver(hall) == ["checkpoint_witness_conflict"]
        [told] = map(checkpoints_queries.checkpoint_fault, checkpoints_queries.faults(hall))
        assert NAME in told
        assert checkpoints_queries.stopped(hall)
        assert (Checkpoint.objects.count(), Cosignature.objects.count()) == (1, 0)
        with pytest.raises(SealError, match="history_unproven"):
            sealing.seal_acta(session=hall.sessions.get(number=1), at=timezone.now())
    # That it cannot be asked takes nothing back.
    assert "checkpoint_witness_conflict" in deliver(hall)
    # Whoever runs the witness decides, on the witness's machine.
    memory.accept(newest().note)
    with answering(memory) as server:
        tell(memory, server)
        deliver(hall)
        assert deliver(hall) == []
    assert size(memory) == newest().number


@pytest.mark.slow
@pytest.mark.rule(58)
def test_hall_with_a_new_key_for_lost_ones_is_cosigned_once_the_witness_was_told(
    hall: Hall, memory: Memory, settings: LazySettings, tmp_path: Path
) -> None:
    """The witness was away when the lost key signed last, and follows the chain over that too."""
    with answering(memory) as server:
        tell(memory, server)
        assert deliver(hall) == []
    again(hall)
    deliver(hall)
    shutil.rmtree(checkpoints_queries.keys_folder(hall))
    rng_file(hall).unlink()
    evening = Evening(hall=hall)
    entry = checkpoints_services.accept(
        hall=hall, by=evening.person(Role.HALL_MANAGER), witness=evening.person(Role.TABLE_CHIEF),
        reason="disco perdido", at=timezone.now(),
    )  # fmt: skip
    (tmp_path / "new").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "new")]
    with answering(memory) as server:
        tell(memory, server)
        assert deliver(hall) == ["checkpoint_witness_refused"]
        before = size(memory)
        memory.replace(entry.data["key"], reason="disco perdido, diz o inspetor")
        assert (deliver(hall), size(memory)) == ([], entry.number)
    assert before < Checkpoint.objects.order_by("number")[1].number < entry.number


@pytest.mark.slow
@pytest.mark.rule(58)
def test_witness_is_asked_before_the_next_head_is_signed(hall: Hall, memory: Memory) -> None:
    """A database set back behind what the witness saw signs not even one more head."""
    deliver(hall)
    (key,) = checkpoints_queries.kept(hall).values()
    ahead = checkpoints_and_clock.JournalHead("sala", newest().number + 900, "ab" * 32)
    memory.add(notes.Request(0, (), notes.read_note(signed_notes.sign_note(checkpoints_and_clock.written(ahead), [key]))))  # fmt: skip
    again(hall)
    with answering(memory) as server:
        tell(memory, server)
        assert "checkpoint_witness_conflict" in deliver(hall)
    assert Checkpoint.objects.count() == 1


@pytest.mark.slow
def test_hall_that_lost_count_learns_from_the_witness(hall: Hall, memory: Memory) -> None:
    with answering(memory) as server:
        tell(memory, server)
        for _turn in range(3):
            again(hall)
            deliver(hall)
        numbers = list(Checkpoint.objects.order_by("number").values_list("number", flat=True))
        for counted in (0, numbers[0], numbers[1]):
            CheckpointPlace.objects.filter(place=f"witness:{NAME}").update(number=counted)
            assert deliver(hall) == []
            assert size(memory) == numbers[-1]
        again(hall)
        assert deliver(hall) == []
        assert size(memory) == newest().number


@pytest.mark.slow
def test_witness_that_does_not_know_the_hall_is_told(hall: Hall, tmp_path: Path) -> None:
    from halls.witness.cosigning import make

    stranger = make(tmp_path / "stranger", name=NAME)
    with answering(stranger) as server:
        tell(stranger, server)
        assert deliver(hall) == ["checkpoint_witness_refused"]
        again(hall)
        assert deliver(hall) == ["checkpoint_witness_refused"]
    assert Checkpoint.objects.count() == 2


def test_training_is_no_matter_of_a_witness(hall: Hall, memory: Memory) -> None:
    lessons = training.begin(hall, name="T", licence="T", partner="P", at=timezone.now())
    with answering(memory) as server:
        tell(memory, server)
        assert witnesses.of_hall(lessons) == []
        assert [one.key.name for one in witnesses.of_hall(hall)] == [NAME]


def test_what_was_cosigned_never_changes(hall: Hall, memory: Memory) -> None:
    with answering(memory) as server:
        tell(memory, server)
        deliver(hall)
    for statement in ("UPDATE halls_cosignature SET line = ''", "DELETE FROM halls_cosignature"):
        with pytest.raises(Exception, match=r"append-only|permission denied"), transaction.atomic():
            connection.cursor().execute(statement)
    assert Cosignature.objects.count() == 1


@contextmanager
def saying(content: bytes, *, drip: float = 0) -> Iterator[int]:
    """Let a hostile witness answer everybody so; with `drip` a byte in so many seconds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def answer() -> None:
            server.settimeout(0.05)
            while not ended.is_set():
                try:
                    link, _from = server.accept()
                except OSError:
                    continue
                with link:
                    try:
                        link.recv(65536)
                        link.sendall(content)
                        while drip and not ended.wait(drip):
                            link.sendall(b"x")
                    except OSError:
                        pass

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            ended.set()
            thread.join()


OK = b"HTTP/1.1 200 OK\r\nContent-Length: "


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\x00 no HTTP", id="no HTTP"),
        pytest.param(OK + b"3\r\n\r\n\xff\xfe\n", id="no text"),
        pytest.param(OK + b"99999999\r\n\r\n" + b"x" * 300_000, id="endless"),
        pytest.param(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", id="failing"),
        pytest.param(b"HTTP/1.1 302 No\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n", id="sent on"),
    ],
)  # fmt: skip
def test_hostile_witness_stops_nothing(
    hall: Hall, memory: Memory, settings: LazySettings, content: bytes
) -> None:
    with saying(content) as port:
        settings.WITNESSES = {NAME: (f"http://127.0.0.1:{port}", memory.key.written)}
        (fault,) = deliver(hall)
        assert fault in ("checkpoint_witness_away", "checkpoint_witness_refused")
        again(hall)
        deliver(hall)
    assert (Checkpoint.objects.count(), Cosignature.objects.count()) == (2, 0)


def test_false_cosignature_is_none(hall: Hall, memory: Memory, settings: LazySettings) -> None:
    line = f"\N{EM DASH} {NAME} {notes.encoded(memory.key.identity + bytes(72))}\n".encode()
    with saying(OK + str(len(line)).encode() + b"\r\n\r\n" + line) as port:
        settings.WITNESSES = {NAME: (f"http://127.0.0.1:{port}", memory.key.written)}
        assert deliver(hall) == ["checkpoint_witness_refused"]
    assert not Cosignature.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("content", [OK + b"60000\r\n\r\n", OK])
def test_slow_witness_is_not_waited_for(
    hall: Hall,
    memory: Memory,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
) -> None:
    monkeypatch.setattr(witnesses, "PATIENCE", 0.3)
    monkeypatch.setattr(witnesses, "SENDING", 0.3)
    with saying(content, drip=0.05) as port:
        settings.WITNESSES = {NAME: (f"http://127.0.0.1:{port}", memory.key.written)}
        begun = timezone.now()
        assert deliver(hall) == ["checkpoint_witness_away"]
        assert (timezone.now() - begun).total_seconds() < 5


@pytest.mark.slow
def test_audit_asks_a_witness(
    hall: Hall, memory: Memory, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with answering(memory) as server:
        tell(memory, server)
        deliver(hall)
        words = {"witness": witness.address(server), "witness_key": memory.key.written}
        call_command("audit", hall="sala", **words)
        assert f"as {NAME} has seen it up to entry {newest().number}" in capsys.readouterr().out
        slow = Memory(memory.folder, now=lambda: 1_000_000_000)
    with answering(slow) as server:
        # An answer that was kept from before a rewriting.
        with pytest.raises(SystemExit):
            call_command("audit", hall="sala", **words | {"witness": witness.address(server)})
        assert "witness_stale" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command("audit", hall="sala", **words)
    assert "witness_away" in capsys.readouterr().out
    with pytest.raises(CommandError, match="witness's key"):
        call_command("audit", hall="sala", **words | {"witness_key": "x"})


def test_setting_names_each_witness(memory: Memory) -> None:
    key = memory.key.written
    told = read_witnesses(f"https://w.example/ {key} ,")
    assert told == {NAME: ("https://w.example", key)}
    assert read_witnesses("") == {}
    for wrong in ("w.example", f"ftp://w {key}", "https://w.example"):
        with pytest.raises(Exception, match="BINGO_WITNESSES"):
            read_witnesses(wrong)
