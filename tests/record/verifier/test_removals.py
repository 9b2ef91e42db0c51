"""The offline verifier judges each removal by its own signature, whatever chain it stands in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from draws.desks.inspector.acta_journal_and_verifier_downloads import VERIFIER
from draws.retention.services import remove
from halls.checkpoints import services as checkpoints_services
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of
from tests.support.removing import after, lived
from tests.support.session_closing import closed, drawn

pytestmark = [pytest.mark.django_db, pytest.mark.rule(61)]


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """The journal of a hall that has removed pictures, its key, and the verifier."""
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path / "data"
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, source="camera", automatic=900, picture_days=30, **who)
    camera_of(evening)
    drawn(evening, 17, 44)
    closed(evening)
    lived(evening, 32)
    hall = Hall.objects.get()
    assert remove(hall=hall, at=after(31)) is not None
    (tmp_path / "journal.jsonl").write_text("".join(journal_queries.export_lines(hall)))
    (tmp_path / "key.txt").write_text(checkpoints_services.vkeys(hall)[0] + "\n")
    (tmp_path / "bingo-verify.pyz").write_bytes(VERIFIER.build())
    return tmp_path


def verified(folder: Path, *words: str, key: bool = True) -> tuple[int, list[tuple[str, str]]]:
    """Return the exit code, and what was said of removals: verdict and words."""
    trust = ["--key", "key.txt"] if key else []
    done = subprocess.run(
        [sys.executable, "bingo-verify.pyz", "--json", *trust, "journal.jsonl", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    checks = json.loads(done.stdout)["files"][0]["checks"]
    return done.returncode, [
        (one["verdict"], one["words"]) for one in checks if one["check"] == "removal"
    ]


def told_otherwise(folder: Path, **changed: Any) -> None:
    """Write the journal anew with another removal, every digest computed anew."""
    lines, head = [], START
    for line in (folder / "journal.jsonl").read_text().splitlines():
        entry = json.loads(line)
        del entry["digest"]
        if entry["kind"] == "retention_applied":
            entry["data"] |= changed
        head = chain_digest(head, entry)
        lines.append(canonical(entry | {"digest": head}).decode() + "\n")
    (folder / "journal.jsonl").write_text("".join(lines))


@pytest.mark.slow
def test_removal_as_it_was_signed_is_good(folder: Path) -> None:
    assert verified(folder) == (0, [("good", "1 removals are signed as their entries tell them")])


@pytest.mark.slow
def test_removal_by_a_key_that_nobody_gave_stays_open(folder: Path) -> None:
    code, [(verdict, words)] = verified(folder, key=False)
    assert (code, verdict, "give --key" in words) == (2, "open", True)


@pytest.mark.parametrize(
    "changed",
    [
        {"list": "0" * 64}, {"removal": 2}, {"sessions": [[1, 9]]}, {"kept_back": [{}]},
        {"note": ""}, {"note": 7}, {"note": "bingo-removal/sala\n1\n\n"}, {"more": "x"},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.slow
def test_removal_told_otherwise_in_a_chain_that_holds_is_false(
    folder: Path, changed: dict[str, Any]
) -> None:
    number = JournalEntry.objects.get(kind="retention_applied").number
    told_otherwise(folder, **changed)
    code, [(verdict, words)] = verified(folder)
    assert (code, verdict, f"entry {number} " in words) == (1, "false", True)
