"""The offline verifier, run as an inspector runs it: one file, no network, no project around it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import archive, keys, seal
from bingo.rules.journal import START, canonical, chain_digest
from draws.record import seal_queries
from draws.record.verifier import seals
from draws.record.verifier.verdicts import Trust

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
NAME = "bingo-journal/sala"


def entry(number: int, previous: str, **told: Any) -> tuple[str, str]:
    """Give a line of a journal and its digest."""
    value = {
        "hall": "sala", "number": number, "session": 1, "game": None, "kind": "note_recorded",
        "data": {"text": f"nota {number}"}, "at": "2026-11-21T20:15:03.123456Z", "by": "chefe",
    } | told  # fmt: skip
    made = chain_digest(previous, value)
    return canonical(value | {"digest": made}).decode() + "\n", made


def chained(values: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Give the lines and digests of a journal, each entry told by what differs in it."""
    lines, heads = [], [START]
    for number, told in enumerate(values, start=1):
        line, head = entry(number, heads[-1], **told)
        lines.append(line)
        heads.append(head)
    return lines, heads[1:]


def note(private: Ed25519PrivateKey, number: int, head: str, name: str = NAME) -> bytes:
    """Give a signed checkpoint, written here anew from its format's text."""
    text = f"{name}\n{number}\n{base64.b64encode(bytes.fromhex(head)).decode()}\nsession 1\n"
    public = b"\x01" + private.public_key().public_bytes_raw()
    identity = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    signature = base64.b64encode(identity + private.sign(text.encode())).decode()
    return f"{text}\n\N{EM DASH} {name} {signature}\n".encode()


def vkey(private: Ed25519PrivateKey, name: str = NAME) -> str:
    """Give the key as it is written down."""
    public = b"\x01" + private.public_key().public_bytes_raw()
    identity = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4].hex()
    return f"{name}+{identity}+{base64.b64encode(public).decode()}"


@dataclass(frozen=True, slots=True)
class Folder:
    """An acta, a journal, a checkpoint and the keys to trust, as files in a folder."""

    path: Path
    key: keys.SigningKey
    private: Ed25519PrivateKey

    def write(self, name: str, content: bytes) -> Path:
        """Write one more file."""
        file = self.path / name
        file.write_bytes(content)
        return file

    def run(self, *words: str | Path, trust: bool = True, before: tuple[str, ...] = ()) -> Run:
        """Run the verifier alone, seeing nothing of the project."""
        trusted = ["--certificate", str(self.path / "certificate.pem"), "--key", vkey(self.private)]
        done = subprocess.run(
            [*before, sys.executable, "-I", str(self.path / seal_queries.NAME),
             *(trusted if trust else []), "--json", *map(str, words)],
            capture_output=True, text=True, check=False, cwd=self.path, timeout=120,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return Run(done.returncode, json.loads(done.stdout) if done.stdout else {})


@dataclass(frozen=True, slots=True)
class Run:
    """An exit code and what was said."""

    code: int
    value: dict[str, Any]

    def words(self) -> str:
        """Everything that is false, or open."""
        checks = [c for f in self.value["files"] for c in f["checks"]] + self.value["between"]
        return "; ".join(c["words"] for c in checks if c["verdict"] in ("false", "open"))


ENTRIES: list[dict[str, Any]] = [{"data": {"text": f"facto {n}"}} for n in range(12)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A session of twelve entries, its acta recorded as the thirteenth, and a checkpoint there."""
    path = tmp_path_factory.mktemp("inspector")
    made = keys.ensure(path / "seal", hall="Sala de Bingo", now=NOW)
    files = Folder(path, made, Ed25519PrivateKey.generate())
    _lines, heads = chained(ENTRIES)
    acta = sealed_acta(made, len(ENTRIES), heads[-1])
    files.write("acta.pdf", acta)
    lines, heads = chained([*ENTRIES, recorded(acta, len(ENTRIES), heads[-1])])
    files.write("journal.jsonl", "".join(lines).encode())
    files.write("13.checkpoint", note(files.private, 13, heads[-1]))
    files.write("certificate.pem", made.trust)
    files.write(seal_queries.NAME, seal_queries.packed())
    return files


def sealed_acta(key: keys.SigningKey, number: int, head: str) -> bytes:
    """Give a sealed PDF that carries a head."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.drawString(100, 700, "Acta")
    said = {"session": 1, "journal_last": number, "journal_head": head}
    archive.embed(canvas, archive.canonical(said), description="Dados", at=NOW)
    canvas.save()
    return seal.sign_pdf(
        out.getvalue(), key=key, at=NOW, field_name="Acta", reason="Acta", location="Sala"
    )


def recorded(acta: bytes, number: int, head: str) -> dict[str, Any]:
    """Give what differs in the entry that recorded an acta."""
    data = {"digest": hashlib.sha256(acta).hexdigest(), "head_number": number, "head_digest": head}
    return {"kind": "acta_sealed", "data": data, "by": None}


def forged(folder: Folder, values: list[dict[str, Any]], name: str = "forged.jsonl") -> Path:
    """Write a journal told otherwise, every digest computed anew."""
    return folder.write(name, "".join(chained(values)[0]).encode())


@pytest.mark.rule(58)
def test_whole_papers_are_good(folder: Folder) -> None:
    done = folder.run("acta.pdf", "journal.jsonl", "13.checkpoint")
    assert (done.code, done.words()) == (0, "")
    assert [one["verdict"] for one in done.value["files"]] == ["good"] * 3


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


def other(text: str) -> dict[str, Any]:
    return {"data": {"text": text}}


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
def test_history_written_anew_is_found(folder: Folder, values: list[dict[str, Any]]) -> None:
    file = forged(folder, values)
    assert folder.run(file).code == 0  # its chain is whole: only what was kept elsewhere tells
    for kept in ("13.checkpoint", "acta.pdf"):
        done = folder.run(file, kept)
        assert done.code == 1, kept
        assert "the history was rewritten" in done.words()


@pytest.mark.rule(58)
def test_cut_tail_is_found(folder: Folder) -> None:
    whole = (folder.path / "journal.jsonl").read_bytes().splitlines(keepends=True)
    file = folder.write("cut.jsonl", b"".join(whole[:-1]))
    assert folder.run(file).code == 0
    done = folder.run(file, "13.checkpoint")
    assert (done.code, "its end was cut off" in done.words()) == (1, True)
    assert folder.run(file, "acta.pdf").code == 1


def test_two_checkpoints_of_two_histories_need_no_journal(folder: Folder) -> None:
    _lines, heads = chained([*ENTRIES, other("outra")])
    file = folder.write("other.checkpoint", note(folder.private, 13, heads[-1]))
    done = folder.run(file, "13.checkpoint")
    assert (done.code, "two different entries 13" in done.words()) == (1, True)


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


def test_changed_checkpoint_is_refused(folder: Folder) -> None:
    whole = (folder.path / "13.checkpoint").read_bytes()
    for place in range(0, len(whole), 7):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert folder.run(folder.write("changed.checkpoint", changed)).code != 0, place


def test_checkpoint_of_another_key_is_not_judged(folder: Folder) -> None:
    stranger = Ed25519PrivateKey.generate()
    file = folder.write("strange.checkpoint", note(stranger, 13, "ab" * 32))
    assert folder.run(file, "journal.jsonl").code == 2  # a stranger's word accuses nobody


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
