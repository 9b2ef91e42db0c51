"""Papers made to be believed: copies that part, renamed halls, heads that nobody else saw."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bingo.pdf import keys
from draws.desks.inspector.acta_journal_and_verifier_downloads import VERIFIER
from tests.support import hostile_seals
from tests.support.verifier import (
    ENTRIES,
    NOW,
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


# ---- two actas of one session


@pytest.mark.rule(58)
def test_second_acta_of_a_session_is_found_though_the_journal_recorded_both(folder: Folder) -> None:
    head = chained(ENTRIES)[1][-1]
    second = folder.write("second.pdf", sealed_acta(folder.key, 12, head))
    both = [(folder.path / "acta.pdf").read_bytes(), second.read_bytes()]
    entries = [*ENTRIES, *(recorded(one, 12, head) for one in both)]
    done = folder.run(forged(folder, entries, "both.jsonl"), second)
    assert (done.code, "entry 14 records another acta of session 1" in done.words()) == (1, True)
    done = folder.run("acta.pdf", second)
    assert (done.code, "two different files of the acta of session 1" in done.words()) == (1, True)


@pytest.mark.rule(58)
@pytest.mark.parametrize("said", [True, False])
def test_acta_that_rectifies_another_is_good_where_an_entry_says_why(
    folder: Folder, said: bool
) -> None:
    acta = (folder.path / "acta.pdf").read_bytes()
    why = {"kind": "acta_rectified", "data": {"rectification": 1}} if said else {}
    entries = [*ENTRIES, recorded(acta, 12, chained(ENTRIES)[1][-1]), why]
    head = chained(entries)[1][-1]
    made = sealed_acta(folder.key, 14, head, rectification=1, number=1)
    entries.append(recorded(made, 14, head, rectification=1))
    file, other_file = forged(folder, entries, "why.jsonl"), folder.write("why.pdf", made)
    done = folder.run(file, "acta.pdf", other_file)
    assert (done.code, done.words() == "") == ((0, True) if said else (1, False))


# ---- papers of two halls, and copies of one journal


A, B = {"hall": "Sala A", "licence": "1"}, {"hall": "Sala B", "licence": "2"}


def named(told: dict[str, str]) -> list[dict[str, Any]]:
    """Return the entries of a hall that says what it is called."""
    return [{"kind": "session_opened", "data": told}, *ENTRIES[1:]]


@pytest.fixture(scope="module")
def halls(folder: Folder) -> tuple[Folder, tuple[str, ...]]:
    """The papers of two halls, each honest, of the same numbers; and the trust that both ask for."""
    stranger, name = Ed25519PrivateKey.generate(), "bingo-journal/outra"
    key = keys.ensure(folder.path / "outra", hall="Sala B", now=NOW)
    for one, told, code, signing, private in (
        ("a", A, "sala", folder.key, folder.private),
        ("b", B, "outra", key, stranger),
    ):
        entries = [entry | {"hall": code} for entry in named(told)]
        head = chained(entries)[1][-1]
        acta = folder.write(f"{one}.pdf", sealed_acta(signing, 12, head, **told))
        entries.append(recorded(acta.read_bytes(), 12, head) | {"hall": code})
        forged(folder, entries, f"{one}.jsonl")
        forged(folder, entries[:11], f"{one}-older.jsonl")
        for number in (12, 13):
            signed = note(private, number, chained(entries)[1][number - 1], f"bingo-journal/{code}")
            folder.write(f"{one}{number}.checkpoint", signed)
    folder.write("b.pem", key.trust)
    return folder, ("--certificate", "b.pem", "--key", vkey(stranger, name))


@pytest.mark.parametrize(
    ("papers", "code"),
    [
        ("a.pdf b.pdf a.jsonl b.jsonl a12.checkpoint b12.checkpoint a13.checkpoint", 0),
        (
            "b13.checkpoint a13.checkpoint b-older.jsonl a-older.jsonl b.jsonl a.jsonl b.pdf a.pdf",
            0,
        ),
        ("a.pdf b12.checkpoint", OPEN),
        ("a.pdf b.jsonl", OPEN),
        ("a.pdf b.jsonl b12.checkpoint", OPEN),
        ("a.jsonl b12.checkpoint", OPEN),
        ("a.pdf b.pdf", 0),
        ("a.jsonl b.jsonl --head 12:A", 0),
        ("a.jsonl b12.checkpoint a12.checkpoint --head 12:A", 0),
        ("a12.checkpoint b12.checkpoint --head 12:A", 0),
        ("a.jsonl b.jsonl --head 12:0000000000000000", OPEN),
        ("a.jsonl --head 12:0000000000000000", FALSE),
        ("a.jsonl b.jsonl --head 14:0000000000000000", OPEN),
        ("a.jsonl --head 14:0000000000000000", FALSE),
    ],
)
def test_papers_of_two_honest_halls_accuse_nobody(
    halls: tuple[Folder, tuple[str, ...]], papers: str, code: int
) -> None:
    folder, trust = halls
    head = chained(named(A))[1][-1][:32]
    done = folder.run(*papers.replace("12:A", f"12:{head}").split(), *trust)
    assert (done.code, bool(done.words())) == (code, code != 0), done.words()


def test_hall_that_is_named_is_accused_beside_papers_of_another(
    halls: tuple[Folder, tuple[str, ...]],
) -> None:
    folder, trust = halls
    anew = [*named(A)[:5], *[other("novo")] * 8]
    done = folder.run(forged(folder, anew, "a-anew.jsonl"), "a.pdf", "b.jsonl", "b.pdf", *trust)
    assert (done.code, "a.pdf saw another entry 12 than a-anew" in done.words()) == (FALSE, True)
    drawn = {"games": [{"randomness": {"hall": "sala"}}]}
    folder.write("drawn.pdf", sealed_acta(folder.key, 12, "cd" * 32, **drawn))
    done = folder.run("drawn.pdf", "a12.checkpoint", "b12.checkpoint", *trust)
    assert (done.code, "two different entries 12" in done.words()) == (FALSE, True)


@pytest.mark.rule(58)
def test_acta_is_held_against_the_longest_copy_whatever_the_order(folder: Folder) -> None:
    older = forged(folder, ENTRIES, "a-copy.jsonl")
    for papers in ((older, "journal.jsonl"), ("journal.jsonl", older)):
        assert folder.run(*papers, "acta.pdf", "13.checkpoint").code == 0
    done = folder.run(older, "acta.pdf")
    assert (done.code, "give a later copy" in done.words()) == (OPEN, True)
    done = folder.run(forged(folder, ENTRIES[:9], "a-copy.jsonl"), "acta.pdf")
    assert (done.code, "give a later copy" in done.words()) == (OPEN, True)


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
