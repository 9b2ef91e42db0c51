"""The offline verifier, run as an inspector runs it: one file, no network, no project around it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import keys
from draws.record.verifier import seals
from draws.record.verifier.verdicts import Trust
from tests.support.verifier import (
    ENTRIES,
    NOW,
    Folder,
    chained,
    folder,
    forged,
    note,
    other,
    sealed_acta,
    vkey,
)

__all__ = ["folder"]  # the fixture


@pytest.mark.slow
@pytest.mark.rule(58)
def test_whole_papers_are_good(folder: Folder) -> None:
    done = folder.run("acta.pdf", "journal.jsonl", "13.checkpoint")
    assert (done.code, done.words()) == (0, "")
    assert [one["verdict"] for one in done.value["files"]] == ["good"] * 3


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="a network namespace is root's to make")
def test_verifies_without_a_network(folder: Folder) -> None:
    papers = ("acta.pdf", "journal.jsonl", "13.checkpoint")
    assert folder.run(*papers, before=("unshare", "-n")).code == 0
    lonely = subprocess.run(["unshare", "-n", "ip", "-o", "addr"], capture_output=True, text=True, check=False)  # fmt: skip
    assert "inet " not in lonely.stdout


def test_nothing_is_good_that_nobody_vouches_for(folder: Folder) -> None:
    done = folder.run("acta.pdf", "journal.jsonl", "13.checkpoint", trust=False)
    assert done.code == 2
    assert "give --certificate" in done.words()
    assert "give --key" in done.words()


# ---- the owner of the database, who computes every digest anew


@pytest.mark.rule(58)
@pytest.mark.parametrize(
    "values",
    [
        pytest.param([*ENTRIES[:4], other("outra"), *ENTRIES[5:], {}], id="edited"),
        pytest.param([*ENTRIES[:4], *ENTRIES[5:], {}, {}], id="deleted"),
        pytest.param([*ENTRIES[:4], other("facto 5"), other("facto 4"), *ENTRIES[6:], {}], id="swapped"),
        pytest.param([*ENTRIES[:4], other("mais"), *ENTRIES[4:], {}], id="inserted"),
        pytest.param([*ENTRIES[:6], *[other("novo")] * 12], id="tail"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_history_written_anew_is_found(folder: Folder, values: list[dict[str, Any]]) -> None:
    file = forged(folder, values)
    assert folder.run(file).code == 0  # its chain is whole: only what was kept elsewhere tells
    for kept in ("13.checkpoint", "acta.pdf"):
        done = folder.run(file, kept)
        assert done.code == 1, kept
        assert "the history was rewritten" in done.words()


@pytest.mark.rule(58)
@pytest.mark.slow
def test_cut_tail_is_found(folder: Folder) -> None:
    whole = (folder.path / "journal.jsonl").read_bytes().splitlines(keepends=True)
    file = folder.write("cut.jsonl", b"".join(whole[:-1]))
    assert folder.run(file).code == 0
    done = folder.run(file, "13.checkpoint")
    assert (done.code, "its end was cut off" in done.words()) == (1, True)
    # By the acta alone it may as well be a copy that was taken before the acta was sealed.
    done = folder.run(file, "acta.pdf")
    assert (done.code, "give a later copy" in done.words()) == (2, True)


def test_two_checkpoints_of_two_histories_need_no_journal(folder: Folder) -> None:
    _lines, heads = chained([*ENTRIES, other("outra")])
    file = folder.write("other.checkpoint", note(folder.private, 13, heads[-1]))
    done = folder.run(file, "13.checkpoint")
    assert (done.code, "two different entries 13" in done.words()) == (1, True)


@pytest.mark.slow
def test_typed_head_is_held_against_the_journal(folder: Folder) -> None:
    head = chained(ENTRIES)[1][-1]
    short = " ".join(head[n : n + 4] for n in range(0, 20, 4)).upper()
    assert folder.run("journal.jsonl", "--head", f"12:{short}").code == 0
    assert folder.run("journal.jsonl", "--head", f"11:{short}").code == 1
    assert folder.run("journal.jsonl", "--head", "11:abcd").code == 2


def test_copies_of_a_journal_that_part_are_found(folder: Folder) -> None:
    file = forged(folder, [*ENTRIES, {}], "copy.jsonl")
    done = folder.run("journal.jsonl", file)
    assert (done.code, "part before entry 14" in done.words()) == (1, True)


# ---- the acta


@pytest.mark.slow
@pytest.mark.rule(58)
def test_one_flipped_bit_at_every_byte_is_refused(folder: Folder) -> None:
    """Of each byte the bit that makes the other case of a letter, the other of two digits, or half its value."""
    acta = (folder.path / "acta.pdf").read_bytes()
    trusted = Trust(x509.load_pem_x509_certificates(folder.key.trust))
    assert all(check.verdict == "good" for check in seals.judge(acta, trusted).checks)
    for place, byte in enumerate(acta):
        bit = (1, 0x20, 0x40)[place % 3]
        changed = acta[:place] + bytes([byte ^ bit]) + acta[place + 1 :]
        checks = seals.judge(changed, trusted).checks
        assert checks[-1].verdict == "false", (place, bit)


@pytest.mark.rule(58)
@pytest.mark.parametrize(
    "appended", [b"\n", b" ", b"%%EOF\n", b"\x00" * 100, b"1 0 obj\nendobj\n%%EOF\n"]
)
def test_appended_bytes_are_refused(folder: Folder, appended: bytes) -> None:
    acta = (folder.path / "acta.pdf").read_bytes()
    assert folder.run(folder.write("longer.pdf", acta + appended)).code == 1


@pytest.mark.slow
@pytest.mark.rule(58)
def test_cut_acta_is_refused(folder: Folder) -> None:
    acta = (folder.path / "acta.pdf").read_bytes()
    for length in (len(acta) - 1, len(acta) - 7, len(acta) // 2, 10, 0):
        assert folder.run(folder.write("shorter.pdf", acta[:length])).code == 1


@pytest.mark.rule(58)
def test_another_authority_of_the_same_name_is_refused(folder: Folder) -> None:
    same = keys.ensure(folder.path / "same", hall="Sala de Bingo", now=NOW)
    acta = sealed_acta(same, len(ENTRIES), chained(ENTRIES)[1][-1])
    done = folder.run(folder.write("same.pdf", acta))
    assert (done.code, "nobody who is trusted" in done.words()) == (1, True)


@pytest.mark.rule(58)
def test_acta_that_the_journal_did_not_record_is_refused(folder: Folder) -> None:
    acta = sealed_acta(folder.key, len(ENTRIES), chained(ENTRIES)[1][-1])
    assert acta != (folder.path / "acta.pdf").read_bytes()
    done = folder.run(folder.write("twin.pdf", acta), "journal.jsonl")
    assert (done.code, "recorded no such file" in done.words()) == (1, True)


# ---- checkpoints


@pytest.mark.slow
def test_changed_checkpoint_is_refused(folder: Folder) -> None:
    whole = (folder.path / "13.checkpoint").read_bytes()
    for place in range(0, len(whole), 7):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert folder.run(folder.write("changed.checkpoint", changed)).code != 0, place


def test_checkpoint_of_another_key_is_not_judged(folder: Folder) -> None:
    stranger = Ed25519PrivateKey.generate()
    file = folder.write("strange.checkpoint", note(stranger, 13, "ab" * 32))
    assert folder.run(file, "journal.jsonl").code == 2  # a stranger's word accuses nobody


@pytest.mark.slow
def test_key_of_another_hall_signs_nothing_of_this_one(folder: Folder) -> None:
    name = "bingo-journal/outra"
    file = folder.write("outra.checkpoint", note(folder.private, 13, "ab" * 32, name))
    # Nothing false, and nothing that vouches for this one: a journal may be under another's name.
    done = folder.run(file, "--key", vkey(folder.private, name), "journal.jsonl")
    assert (done.code, "another hall" in done.words()) == (2, True)
    assert folder.run(file, "journal.jsonl").code == 2


# ---- hostile files


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"[" * 200_000, id="deep"),
        pytest.param(b'{"a":' * 200_000, id="deep objects"),
        pytest.param(b"\xff\xfe{\x00}\x00", id="utf-16"),
        pytest.param(b"{}\n", id="no entry"),
        pytest.param(b"", id="empty"),
        pytest.param(b'{"at":"x","at":"y"}\n', id="key twice"),
        pytest.param(b"1" * 5_000_000, id="long number"),
        pytest.param(b'{"number":1e999}\n', id="infinite"),
        pytest.param(b"\x00" * 1000, id="zeros"),
    ],
)
def test_hostile_journal_is_refused(folder: Folder, content: bytes) -> None:
    assert folder.run(folder.write("hostile.jsonl", content)).code == 1


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("game_opened", {"format": "90"}),
        ("game_opened", {"format": None}),
        ("second_half_opened", {}),
        ("hall_opened", {"name": ["a"], "licence": "1"}),
        ("acta_sealed", {"digest": ["a"]}),
        ("acta_sealed", {"digest": "a", "rectification": [1]}),
        ("acta_rectified", {"rectification": {}}),
    ],
)
def test_values_of_another_type_are_no_journal_though_the_chain_is_whole(
    folder: Folder, kind: str, data: dict[str, Any]
) -> None:
    done = folder.run(forged(folder, [{}, {"game": 1, "kind": kind, "data": data}]), "acta.pdf")
    assert (done.code, "entry 2 is no journal entry" in done.words()) == (1, True)


@pytest.mark.slow
def test_hostile_papers_of_every_kind_are_refused(folder: Folder) -> None:
    for name in ("a.pdf", "a.checkpoint", "a.txt"):
        for content in (b"", b"%PDF-1.7 /ByteRange [0 1 2 3] %%EOF", b"\xff" * 99, b"[" * 99_999):
            assert folder.run(folder.write(name, content)).code in (1, 2)
    assert folder.run("missing.pdf").code == 2
    assert folder.run("/dev/zero").code == 2


def test_folder_of_papers_is_read_whole(folder: Folder, tmp_path: Path) -> None:
    for name in ("acta.pdf", "journal.jsonl", "13.checkpoint"):
        shutil.copy(folder.path / name, tmp_path)
    assert len(folder.run(tmp_path).value["files"]) == 3


def test_what_is_no_paper_of_a_hall_accuses_nobody(folder: Folder, tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "settlement.pdf"))
    canvas.drawString(100, 700, "Settlement")
    canvas.save()
    (tmp_path / "rows.jsonl").write_bytes(b'{"id":1,"hall_id":1}\n')
    (tmp_path / "security.jsonl").write_bytes(b"")
    (tmp_path / "told.json").write_bytes(b'{"told": 1}\n')
    (tmp_path / "journal.txt").write_bytes((folder.path / "journal.jsonl").read_bytes())
    done = folder.run(tmp_path)
    found = {Path(one["file"]).name: one["verdict"] for one in done.value["files"]}
    others = ("settlement.pdf", "rows.jsonl", "security.jsonl", "told.json")
    assert found == {"journal.txt": "good", **dict.fromkeys(others, "open")}
    assert (done.code, "it is no sealed paper" in done.words()) == (2, True)


def test_acta_whose_seal_was_taken_out_is_refused(folder: Folder) -> None:
    acta = (folder.path / "acta.pdf").read_bytes()
    assert (
        folder.run(folder.write("bare.pdf", acta.replace(b"/ByteRange", b"/Something"))).code == 1
    )
