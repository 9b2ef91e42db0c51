"""Papers made to be believed: copies that part, renamed halls, heads that nobody else saw."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from draws.desks.inspector.downloads import VERIFIER
from tests.support import hostile_seals
from tests.support.verifier import (
    ENTRIES,
    Folder,
    chained,
    folder,
    forged,
    note,
    other,
    recorded,
    sealed_acta,
    vkey,
)

__all__ = ["folder"]

FALSE, OPEN = 1, 2
KEY = ec.generate_private_key(ec.SECP256R1())


@pytest.mark.slow
def test_two_copies_that_part_after_a_short_one_ends_are_found(folder: Folder) -> None:
    for name, entries in (
        ("a.jsonl", ENTRIES[:3]),
        ("b.jsonl", ENTRIES),
        ("c.jsonl", [*ENTRIES[:5], *[other("novo")] * 9]),
    ):
        folder.write(name, "".join(chained(entries)[0]).encode())
    assert folder.run("a.jsonl", "b.jsonl", "c.jsonl").code == FALSE


def test_journal_under_another_halls_name_is_not_vouched_for(folder: Folder) -> None:
    entries = [one | {"hall": "Sala"} for one in [*ENTRIES[:5], *[other("novo")] * 8]]
    assert folder.run(forged(folder, entries, "renamed.jsonl"), "13.checkpoint").code == OPEN


@pytest.mark.slow
@pytest.mark.parametrize("game", [{}, {"game": 1}])
def test_entry_is_judged_by_what_it_says_whatever_game_it_names(
    folder: Folder, game: dict[str, int]
) -> None:
    removal = {"kind": "retention_applied", "data": {"removal": 1, "note": "nonsense"}}
    assert folder.run(forged(folder, [removal | game], "removal.jsonl")).code == FALSE
    back = {"kind": "checkpoint_history_set_back", "data": {"number": 9}}
    assert folder.run(forged(folder, [back | game], "back.jsonl")).code == OPEN


@pytest.mark.slow
def test_typed_head_is_held_against_checkpoints_and_actas(folder: Folder) -> None:
    wrong = "ab" * 32
    assert folder.run("13.checkpoint", "--head", f"13:{wrong}").code == FALSE
    assert folder.run("acta.pdf", "--head", f"12:{wrong}").code == FALSE
    assert folder.run("13.checkpoint", "--head", f"7:{wrong}").code == OPEN


@pytest.mark.slow
def test_acta_is_held_against_checkpoints_and_other_actas_without_a_journal(folder: Folder) -> None:
    folder.write("12.checkpoint", note(folder.private, 12, "ab" * 32))
    assert folder.run("acta.pdf", "12.checkpoint").code == FALSE
    folder.write("other.pdf", sealed_acta(folder.key, 12, "cd" * 32))
    assert folder.run("acta.pdf", "other.pdf").code == FALSE


@pytest.mark.slow
@pytest.mark.rule(58)
def test_acta_that_was_remarked_on_is_still_the_one_that_was_recorded(folder: Folder) -> None:
    acta = (folder.path / "acta.pdf").read_bytes()
    remark = {"kind": "acta_remarked", "data": {"digest": hashlib.sha256(acta).hexdigest()}}
    entries = [*ENTRIES, recorded(acta, 12, chained(ENTRIES)[1][-1]), remark]
    assert folder.run("acta.pdf", forged(folder, entries, "remarked.jsonl")).code == 0


@pytest.mark.slow
def test_what_is_no_file_in_a_folder_is_not_passed_over(folder: Folder) -> None:
    strange = folder.path / "strange"
    strange.mkdir()
    (strange / "gone.pdf").symlink_to("/nonexistent")
    (strange / "loop.jsonl").symlink_to(strange / "loop.jsonl")
    os.mkfifo(strange / "pipe.jsonl")
    assert folder.run(strange, "journal.jsonl", "13.checkpoint").code == OPEN


@pytest.mark.parametrize(
    ("pdf", "words"),
    [
        (hostile_seals.sealed(), "nobody who is trusted"),
        (hostile_seals.sealed(utf8=False), "cannot be read"),
        (hostile_seals.sealed(beside=hostile_seals.certificate(KEY, twice=True)), "cannot be read"),
    ],
    ids=["strange", "name that is no UTF-8", "extension twice"],
)
def test_certificates_that_cannot_be_read_are_refused_and_the_others_still_judged(
    folder: Folder, pdf: bytes, words: str
) -> None:
    done = folder.run(folder.write("certificates.pdf", pdf), "acta.pdf", "journal.jsonl")
    assert (done.code, words in done.words()) == (FALSE, True)
    assert [one["verdict"] for one in done.value["files"]] == ["false", "good", "good"]


def test_name_that_a_terminal_cannot_show_is_told_in_numbers(folder: Folder) -> None:
    file = folder.write("sessão-№1.checkpoint", (folder.path / "13.checkpoint").read_bytes())
    done = subprocess.run(
        [sys.executable, str(folder.path / VERIFIER.name), "--key", vkey(folder.private), str(file)],
        capture_output=True, check=False, env=os.environ | {"PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
