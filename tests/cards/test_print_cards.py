"""The command that prints cards into a file: what it writes, records and refuses."""

import hashlib
import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from draws.cards import series_queries
from draws.models import PrintJob
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.cards_prints import MANAGER, retire
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting_rows import plant_row

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def evening(db: None, settings: LazySettings, tmp_path: Path) -> Evening:
    settings.PRINTS_DIR = tmp_path / "prints"
    return Evening()


def printed(*options: str, by: str = "sala-hall_manager-1", issue: str = "sala-1") -> Any:
    """Run the command and give its JSON value. Raises CommandError."""
    out = StringIO()
    asked = ("--issue", issue, *(["--by", by] if by else []))
    call_command("print_cards", "--json", *asked, *options, stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.slow
def test_cards_are_printed_into_a_file_and_journalled(evening: Evening, tmp_path: Path) -> None:
    retire(evening, 11, 12)
    out = tmp_path / "cards.pdf"
    value = printed("--first", "7", "--last", "20", "--code", "qr", "--crop", "--out", str(out))
    job = PrintJob.objects.get()
    assert value == {
        "file": str(out), "job": job.pk, "cards": 12, "pages": 2, "digest": job.digest,
        "reprints": [],
    }  # fmt: skip
    assert hashlib.sha256(out.read_bytes()).hexdigest() == job.digest
    assert oct(out.stat().st_mode)[-3:] == "600"
    subprocess.run(["qpdf", "--check", str(out)], check=True, capture_output=True)
    entries = JournalEntry.objects.filter(kind__startswith="print").order_by("number")
    assert [(entry.kind, entry.by and entry.by.username) for entry in entries] == [
        ("print_ordered", "sala-hall_manager-1"),
        ("print_finished", None),
    ]
    assert {one.name for one in tmp_path.iterdir()} == {"cards.pdf", "prints"}


def test_whole_issue_is_printed_unless_cards_are_named(evening: Evening, tmp_path: Path) -> None:
    value = printed("--paper", "roll", "--out", str(tmp_path / "roll.pdf"))
    assert (value["cards"], value["pages"]) == (90, 90)


def test_reprint_needs_its_reason(evening: Evening, tmp_path: Path) -> None:
    out = str(tmp_path / "cards.pdf")
    printed("--last", "6", "--out", out)
    with pytest.raises(CommandError, match=r"refused: print_reason_missing: "):
        printed("--first", "6", "--last", "7", "--out", out)
    value = printed("--first", "6", "--last", "7", "--reason", "Rasgado", "--out", out)
    assert value["reprints"] == [[6, 6, 1]]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--first", "0"], "refused: print_range_bad"),
        (["--last", "91"], "refused: print_range_bad"),
        (["--paper", "roll", "--back"], "refused: print_roll_plain"),
        (["--paper", "a3"], "a3"),
        (["--hall", "nowhere"], "known halls: sala"),
        (["--issue", "9999"], "sala has no issue 9999"),
        (["--by", "nobody"], "known managers: sala-hall_manager-1, sala-hall_manager-2"),
        (["--by", "sala-cashier-1"], "refused: not_allowed"),
        (["--out", "/nowhere/cards.pdf"], "/nowhere/cards.pdf cannot be written"),
        (["--out", "/tmp"], "/tmp cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_refused_before_it_is_ordered(
    evening: Evening, tmp_path: Path, options: list[str], told: str
) -> None:
    with pytest.raises(CommandError, match=told):
        printed("--out", str(tmp_path / "cards.pdf"), *options)
    assert not PrintJob.objects.exists()
    assert list(tmp_path.iterdir()) == []


def test_only_manager_orders_where_none_is_named(evening: Evening, tmp_path: Path) -> None:
    out = str(tmp_path / "cards.pdf")
    with pytest.raises(CommandError, match="name one hall manager with --by"):
        printed("--out", out, by="")
    leaving = evening.hall.people.get(username="sala-hall_manager-2")
    leaving.is_active = False
    plant_row(leaving, "is_active")
    assert printed("--out", out, by="")["cards"] == 90
    assert PrintJob.objects.get().entry.by == evening.person(Role.HALL_MANAGER)


def test_print_that_fails_is_told(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_queries, "is_intact", lambda _series: False)
    out = tmp_path / "cards.pdf"
    with pytest.raises(CommandError, match="refused: matrix_changed"):
        printed("--out", str(out))
    assert not out.exists()


@pytest.mark.slow
def test_command_says_what_it_did(fresh_database: FreshDatabase, tmp_path: Path) -> None:
    evening = Evening()
    command = [
        sys.executable, "manage.py", "print_cards", "--issue", "sala-1", "--by",
        evening.person(MANAGER).username, "--out", str(tmp_path / "cards.pdf"),
    ]  # fmt: skip
    environment = {**os.environ, "DATABASE_URL": fresh_database.url, "BINGO_DATA": str(tmp_path)}
    ran = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    job = PrintJob.objects.get()
    assert ran.stdout.splitlines() == [
        f"print {job.pk}: 90 cards, 15 pages in {tmp_path / 'cards.pdf'}",
        f"SHA-256 {job.digest}",
    ]
    assert audit(Hall.objects.get()) == []
