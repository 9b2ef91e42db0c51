"""The commands of the game: what they say, what they write, how they end."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.utils import timezone

from bingo.pdf import keys
from draws.record import sealing
from halls import tills
from halls.journal import queries as journal_queries
from halls.models import Hall, Role
from halls.sessions import record_note
from halls.verify_journal import verify
from tests.support.commands_draws import said, values
from tests.support.database import FreshDatabase
from tests.support.evening import FLOAT, Evening

ROOT = Path(__file__).resolve().parents[2]


# ---- audit, export_journal


@pytest.mark.django_db
@pytest.mark.slow
def test_audit_finds_a_played_hall_whole() -> None:
    Evening().reach("paying")
    code, value = values("audit")
    assert (code, value) == (0, {"whole": True, "halls": {"sala": []}})
    assert "whole" in said("audit", "--hall", "sala")[1]
    assert said("audit", "--hall", "nowhere")[0] == 1


@pytest.mark.slow
def test_audit_names_the_entry_that_was_changed(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any]
) -> None:
    evening = Evening().reach("sold")
    number = Hall.objects.get().head_number
    with owner_connection.transaction():
        owner_connection.execute("ALTER TABLE halls_journalentry DISABLE TRIGGER USER")
        owner_connection.execute(
            "UPDATE halls_journalentry SET data = jsonb_set(data, '{quantity}', '60')"
            " WHERE number = %s", [number],
        )  # fmt: skip
        owner_connection.execute("ALTER TABLE halls_journalentry ENABLE TRIGGER USER")
    code, value = values("audit")
    assert (code, value["whole"]) == (1, False)
    assert value["halls"][evening.hall.code][0]["entry"] == number
    assert f"BROKEN, first at entry {number}" in said("audit")[1]


@pytest.mark.slow
@pytest.mark.django_db
def test_journal_is_exported_for_the_verifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Evening().reach("paying")
    hall, file = Hall.objects.get(), tmp_path / "journal.jsonl"
    code, value = values("export_journal", "--out", str(file))
    assert (code, value["entries"], value["head"]) == (0, hall.head_number, hall.head_digest)
    found = verify(file.read_text(encoding="utf-8").splitlines())
    assert (found.fault, found.entries) == (None, hall.head_number)
    call_command("export_journal")
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


@pytest.mark.django_db
def test_journal_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    Evening()
    code, words = said("export_journal", "--out", str(tmp_path))
    assert code == 1
    assert f"{tmp_path} cannot be written" in words


@pytest.mark.django_db
def test_exported_journal_ends_at_the_head_that_is_told_and_is_whole_or_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening().reach("session")
    file, lines, full = tmp_path / "journal.jsonl", journal_queries.export_lines, False
    file.write_text("before")

    def meanwhile(hall: Hall, **asked: int) -> Iterator[str]:
        record_note(
            session=evening.session, category="other", decision="", text="x",
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
        yield from lines(hall, **asked)
        if full:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal_queries, "export_lines", meanwhile)
    full = True
    assert "No space left" in said("export_journal", "--out", str(file))[1]
    assert (file.read_text(), list(tmp_path.iterdir())) == ("before", [file])
    full = False
    _code, value = values("export_journal", "--out", str(file))
    last = json.loads(file.read_text().splitlines()[-1])
    assert (value["head"], value["entries"]) == (last["digest"], last["number"])


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_only(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    Evening().reach("sold")
    environment = {**os.environ, "DATABASE_URL": fresh_database.url}
    command = [sys.executable, "manage.py", "export_journal", "--out", str(tmp_path / "j.jsonl")]
    quiet = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert quiet.stderr == ""
    assert len(quiet.stdout.splitlines()) == 1
    master, slave = pty.openpty()
    subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=slave, check=True
    )
    os.close(slave)
    assert b"journal: " in os.read(master, 4096)
    os.close(master)


@pytest.mark.slow
def test_redirected_journal_is_utf_8_whatever_the_terminal_is_set_to(
    fresh_database: FreshDatabase,
) -> None:
    evening = Evening().reach("session")
    record_note(
        session=evening.session, category="other", decision="", text="Extracção – €",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    written = subprocess.run(
        [sys.executable, "manage.py", "export_journal"], cwd=ROOT, capture_output=True, check=True,
        env={**os.environ, "DATABASE_URL": fresh_database.url, "PYTHONIOENCODING": "latin-1"},
    ).stdout.decode("utf-8")  # fmt: skip
    assert "Extracção – €" in written
    assert verify(written.splitlines()).fault is None


# ---- verify_acta


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed acta's files."""

    acta: Path
    certificate: Path
    journal: Path

    def checked(self, **changed: Path) -> tuple[int, Any]:
        """Verify, with other files in place of some."""
        files = {"acta": self.acta, "certificate": self.certificate, "journal": self.journal}
        files |= changed
        return values(
            "verify_acta", str(files["acta"]), "--certificate", str(files["certificate"]),
            "--journal", str(files["journal"]),
        )  # fmt: skip

    def failed(self, **changed: Path) -> set[str]:
        """The checks that fail."""
        code, value = self.checked(**changed)
        assert (code, value["good"]) == (1, False)
        return {name for name, passed in value["checks"].items() if not passed}


@pytest.fixture
def sealed(db: None, tmp_path: Path, settings: LazySettings) -> Sealed:
    """A session of no game, closed and sealed."""
    settings.KEYS_DIR = tmp_path / "keys"
    evening = Evening().reach("shift")
    session = evening.session
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(Role.CASHIER))
    session = evening.close()
    session.refresh_from_db()
    acta = sealing.seal_acta(session=session, at=timezone.now())
    files = Sealed(tmp_path / "acta.pdf", tmp_path / "certificate.pem", tmp_path / "journal.jsonl")
    files.acta.write_bytes(bytes(acta.pdf))
    files.certificate.write_text(acta.certificate)
    call_command("export_journal", "--out", str(files.journal), stdout=StringIO())
    return files


@pytest.mark.rule(58)
@pytest.mark.slow
def test_good_acta_is_verified_with_and_without_its_files(sealed: Sealed) -> None:
    code, value = sealed.checked()
    assert (code, value["good"], value["journal_fault"]) == (0, True, None)
    assert all(value["checks"].values())
    assert values("verify_acta", str(sealed.acta))[0] == 0
    code, out = said("verify_acta", str(sealed.acta))
    assert (code, "FAIL" in out, "GOOD: " in out) == (0, False, True)


@pytest.mark.rule(58)
@pytest.mark.parametrize("appended", [b"\n", b"%%EOF\n", b"\x00" * 100])
@pytest.mark.slow
def test_acta_with_bytes_appended_is_not_good(
    appended: bytes, sealed: Sealed, tmp_path: Path
) -> None:
    changed = tmp_path / "longer.pdf"
    changed.write_bytes(sealed.acta.read_bytes() + appended)
    assert "digest_recorded" in sealed.failed(acta=changed)


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_with_one_byte_flipped_anywhere_is_not_good(sealed: Sealed, tmp_path: Path) -> None:
    whole = sealed.acta.read_bytes()
    changed = tmp_path / "flipped.pdf"
    for place in range(10, len(whole), len(whole) // 12):
        changed.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert "digest_recorded" in sealed.failed(acta=changed), place


@pytest.mark.slow
def test_acta_of_another_key_is_not_good(sealed: Sealed, tmp_path: Path) -> None:
    other = keys.ensure(tmp_path / "other", hall="Outra sala", now=timezone.now())
    certificate = tmp_path / "other.pem"
    certificate.write_bytes(other.trust)
    assert sealed.failed(certificate=certificate)


@pytest.mark.slow
def test_cut_journal_is_not_good(sealed: Sealed, tmp_path: Path) -> None:
    lines = sealed.journal.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(lines[:-1]), encoding="utf-8")
    assert sealed.failed(journal=cut) == {"digest_recorded"}
    cut.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    assert sealed.failed(journal=cut) == {"journal_head", "digest_recorded"}
    cut.write_text("".join(lines[1:]), encoding="utf-8")
    assert "journal_whole" in sealed.failed(journal=cut)
    cut.write_text("", encoding="utf-8")
    assert "journal_whole" in sealed.failed(journal=cut)


@pytest.mark.slow
@pytest.mark.parametrize(
    "garbage", [b"", b"not a PDF", b"%PDF-1.7\n%%EOF", os.urandom(5000), b"\xff\xfe" * 99]
)
def test_garbage_is_not_good_and_no_trace_is_shown(
    garbage: bytes, sealed: Sealed, tmp_path: Path
) -> None:
    file = tmp_path / "garbage"
    file.write_bytes(garbage)
    assert sealed.failed(acta=file)
    assert sealed.failed(journal=file)
    code, out = said("verify_acta", str(sealed.acta), "--certificate", str(file))
    assert (code, out) == (1, "the certificate is not a PEM certificate")


@pytest.mark.slow
def test_missing_file_is_named(sealed: Sealed, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    for arguments in (
        [missing],
        [str(sealed.acta), "--certificate", missing],
        [str(sealed.acta), "--journal", missing],
        [str(tmp_path)],
    ):
        code, out = said("verify_acta", *arguments)
        assert code == 1
        assert "cannot be read" in out


# ---- load_demonstration, demo


@pytest.mark.slow
def test_demonstration_is_loaded_once(
    fresh_database: FreshDatabase, tmp_path: Path, settings: LazySettings
) -> None:
    settings.DATA_DIR = tmp_path
    code, first = values("load_demonstration")
    head = Hall.objects.get().head_number
    assert (code, first["hall"]) == (0, "demonstracao")
    assert oct((tmp_path / "demonstration.json").stat().st_mode)[-3:] == "600"
    assert values("load_demonstration") == (0, first)
    assert (Hall.objects.count(), Hall.objects.get().head_number) == (1, head)
    assert first["people"]["chefe"]["password"] in said("load_demonstration")[1]


@pytest.mark.django_db
def test_demonstration_is_kept_out_of_a_real_hall(tmp_path: Path, settings: LazySettings) -> None:
    settings.DATA_DIR = tmp_path
    Evening()
    assert said("load_demonstration") == (0, "")
    assert Hall.objects.count() == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_demonstration_evening_is_played_audited_and_sealed(
    fresh_database: FreshDatabase, tmp_path: Path, settings: LazySettings
) -> None:
    settings.KEYS_DIR = tmp_path / "keys"
    out = tmp_path / "demo"
    code, value = values("demo", "--out", str(out))
    assert code == 0
    # Six were opened; the double cards of one had their second game (R15).
    assert len(value["games"]) == 7
    assert {file.name for file in out.iterdir()} >= {
        "acta.pdf", "certificate.pem", "journal.jsonl", "series.json", "summary.json", "board.png",
    }  # fmt: skip
    assert json.loads((out / "summary.json").read_text()) == value
    checked = values(
        "verify_acta", str(out / "acta.pdf"), "--certificate", str(out / "certificate.pem"),
        "--journal", str(out / "journal.jsonl"),
    )  # fmt: skip
    assert checked[0] == 0
    assert values("audit")[0] == 0
