"""A key that was renewed: known to the verifier under two signatures, and not otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import JournalHead
from bingo.signed_notes import NoteKey
from draws.record.verifier import command

HEADS = {number: f"{number:02x}" * 32 for number in range(1, 30)}


def key() -> NoteKey:
    return NoteKey(checkpoints_and_clock.origin("sala"), Ed25519PrivateKey.generate())


OLD, NEW, NEXT, STRANGE = key(), key(), key(), key()


def written(
    folder: Path, number: int, by: Sequence[NoteKey], *, announced: NoteKey | None = None
) -> Path:
    """Write a checkpoint of an entry as a file."""
    further = {"key": announced.vkey} if announced else {}
    text = checkpoints_and_clock.written(JournalHead("sala", number, HEADS[number], further))
    file = folder / f"{number:010d}.checkpoint"
    file.write_text(signed_notes.sign_note(text, by), encoding="utf-8")
    return file


def verdicts(
    folder: Path, capsys: pytest.CaptureFixture[str], trusted: NoteKey = OLD
) -> tuple[int, list[str]]:
    """Return the exit code, and what was said of each file in order."""
    code = command.main(["--key", trusted.vkey, "--json", str(folder)])
    told = json.loads(capsys.readouterr().out)
    return code, [one["checks"][0]["verdict"] for one in told["files"]]


Out = pytest.CaptureFixture[str]


def test_key_announced_under_both_signatures_is_taken_up(tmp_path: Path, capsys: Out) -> None:
    written(tmp_path, 3, [OLD])
    written(tmp_path, 5, [OLD, NEW], announced=NEW)
    written(tmp_path, 8, [NEW])
    written(tmp_path, 9, [NEW, NEXT], announced=NEXT)
    written(tmp_path, 12, [NEXT])
    assert verdicts(tmp_path, capsys) == (0, ["good"] * 5)
    # Whoever came later and wrote down the second key judges from there on.
    assert verdicts(tmp_path, capsys, trusted=NEW) == (2, ["open", *["good"] * 4])


def test_without_the_announcement_the_new_key_is_unknown(tmp_path: Path, capsys: Out) -> None:
    written(tmp_path, 3, [OLD])
    written(tmp_path, 8, [NEW])
    assert verdicts(tmp_path, capsys) == (2, ["good", "open"])


@pytest.mark.parametrize(
    ("by", "said"),
    [
        pytest.param([NEW], "open", id="announced by itself"),
        pytest.param([OLD], "false", id="not signed by the new one"),
        pytest.param([OLD, STRANGE], "false", id="signed by another one"),
        pytest.param([STRANGE, NEW], "open", id="announced by a stranger"),
    ],
)
def test_key_announced_otherwise_is_not_taken_up(
    tmp_path: Path, capsys: Out, by: list[NoteKey], said: str
) -> None:
    written(tmp_path, 5, by, announced=NEW)
    written(tmp_path, 8, [NEW])
    code, told = verdicts(tmp_path, capsys)
    assert (code != 0, told) == (True, [said, "open"])


def test_renewed_key_signs_nothing_afterwards(tmp_path: Path, capsys: Out) -> None:
    written(tmp_path, 5, [OLD, NEW], announced=NEW)
    written(tmp_path, 4, [OLD])
    assert verdicts(tmp_path, capsys) == (0, ["good", "good"])
    written(tmp_path, 6, [OLD])
    assert verdicts(tmp_path, capsys) == (1, ["good", "good", "false"])
