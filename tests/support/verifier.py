"""What the tests of verifier share with others."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import keys, pdfa, seal
from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from draws.desks.inspector.acta_journal_and_verifier_downloads import VERIFIER

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


NAME = "bingo-journal/sala"


def entry(number: int, previous: str, **told: Any) -> tuple[str, str]:
    """Return a line of a journal and its digest."""
    value = {
        "hall": "sala", "number": number, "session": 1, "game": None, "kind": "note_recorded",
        "data": {"text": f"nota {number}"}, "at": "2026-11-21T20:15:03.123456Z", "by": "chefe",
    } | told  # fmt: skip
    made = chain_digest(previous, value)
    return canonical(value | {"digest": made}).decode() + "\n", made


def chained(values: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the lines and digests of a journal, each entry told by what differs in it."""
    lines, heads = [], [START]
    for number, told in enumerate(values, start=1):
        line, head = entry(number, heads[-1], **told)
        lines.append(line)
        heads.append(head)
    return lines, heads[1:]


def note(private: Ed25519PrivateKey, number: int, head: str, name: str = NAME) -> bytes:
    """Return a signed checkpoint, written here anew from its format's text."""
    text = f"{name}\n{number}\n{base64.b64encode(bytes.fromhex(head)).decode()}\nsession 1\n"
    public = b"\x01" + private.public_key().public_bytes_raw()
    identity = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    signature = base64.b64encode(identity + private.sign(text.encode())).decode()
    return f"{text}\n\N{EM DASH} {name} {signature}\n".encode()


def vkey(private: Ed25519PrivateKey, name: str = NAME) -> str:
    """Return the key as it is written down."""
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
            [*before, sys.executable, "-I", str(self.path / VERIFIER.name),
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
    files.write(VERIFIER.name, VERIFIER.build())
    return files


def sealed_acta(key: keys.SigningKey, number: int, head: str, /, **told: Any) -> bytes:
    """Return a sealed PDF that carries a head, and what else it tells."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.drawString(100, 700, "Acta")
    said = {"session": 1, "journal_last": number, "journal_head": head} | told
    pdfa.embed(canvas, pdfa.canonical(said), description="Dados", at=NOW)
    canvas.save()
    return seal.sign_pdf(
        out.getvalue(), key=key, at=NOW, field_name="Acta", reason="Acta", location="Sala"
    )


def recorded(acta: bytes, number: int, head: str, **told: Any) -> dict[str, Any]:
    """Return what differs in the entry that recorded an acta, or with `rectification` that of one."""
    data = {"digest": hashlib.sha256(acta).hexdigest(), "head_number": number, "head_digest": head}
    data |= told
    return {"kind": "acta_sealed", "data": data, "by": None}


def forged(folder: Folder, values: list[dict[str, Any]], name: str = "forged.jsonl") -> Path:
    """Write a journal told otherwise, every digest computed anew."""
    return folder.write(name, "".join(chained(values)[0]).encode())


def other(text: str) -> dict[str, Any]:
    return {"data": {"text": text}}
