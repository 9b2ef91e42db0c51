"""A hall's chain and its signed checkpoints without a hall, for tests of the witness."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from bingo.signed_notes import NoteKey


def key(code: str = "sala", seed: int = 1) -> NoteKey:
    return NoteKey(
        checkpoints_and_clock.origin(code), Ed25519PrivateKey.from_private_bytes(bytes([seed] * 32))
    )


class Chain:
    """So many entries; `fork` writes another one from that number on."""

    def __init__(self, entries: int = 20, *, fork: int = 0, code: str = "sala") -> None:
        self.code, self.lines, self.digests = code, [""], [START]
        for number in range(1, entries + 1):
            text = "outra" if fork and number >= fork else "nota"
            value = {
                "hall": code, "number": number, "session": 1, "game": None,
                "kind": "note_recorded", "data": {"text": text}, "at": "2026-11-21T20:15:03.123456Z",
                "by": "chefe",
            }  # fmt: skip
            self.digests.append(chain_digest(self.digests[-1], value))
            line = canonical(value | {"digest": self.digests[-1]})
            self.lines.append(base64.b64encode(line).decode())

    def note(self, number: int, *keys: NoteKey, **further: str) -> str:
        head = checkpoints_and_clock.JournalHead(self.code, number, self.digests[number], further)
        return signed_notes.sign_note(checkpoints_and_clock.written(head), keys or [key(self.code)])

    def request(self, old: int, number: int, *keys: NoteKey, **further: str) -> bytes:
        proof = self.lines[old + 1 : number + 1] if old else []
        body = "".join(f"{line}\n" for line in proof)
        return f"old {old}\n{body}\n{self.note(number, *keys, **further)}".encode()
