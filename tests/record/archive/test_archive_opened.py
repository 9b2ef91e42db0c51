"""An archive made by somebody who means harm, opened: whatever it is, it is refused in words."""

from __future__ import annotations

import hashlib
import json
import random
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bingo.pdf import keys, verdict
from bingo.pdf.keys import SigningKey
from bingo.rules.refusal import Refusal
from draws.record.archive import reading
from draws.record.archive.reading import AUTHORITY, MANIFEST, SEAL, SIGNATURE, opened

ROWS = "rows/halls_till.jsonl"
HEADER = 30  # bytes of a member's header before its name
Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    """The key of an authority that anybody could make."""
    folder = tmp_path_factory.mktemp("keys") / "seal"
    return keys.ensure(folder, hall="Sala", now=datetime(2026, 11, 21, tzinfo=UTC))


def written(
    file: Path,
    key: SigningKey,
    *,
    rows: bytes = b'{"id": 1}\n',
    change: Callable[[Manifest], object] = lambda _manifest: None,
    packed: int = zipfile.ZIP_DEFLATED,
) -> Path:
    """Write an archive of a few files, signed as it says."""
    held = {ROWS: rows, "README.txt": b"x" * 2000, SEAL: verdict.pem(key), AUTHORITY: key.trust}
    listed = [
        {"name": name, "size": len(told), "sha256": hashlib.sha256(told).hexdigest()}
        for name, told in sorted(held.items())
    ]
    manifest: Manifest = {
        "archive": 1, "hall": {"code": "sala"}, "journal": {"entries": 1, "head": "0" * 64},
        "pictures": False, "files": listed,
    }  # fmt: skip
    change(manifest)
    signed = json.dumps(manifest).encode()
    held |= {MANIFEST: signed, SIGNATURE: verdict.sign_detached(signed, key=key)}
    with zipfile.ZipFile(file, "w", packed) as archive:
        for name, told in held.items():
            archive.writestr(name, told)
    return file


def test_archive_as_it_should_be_is_opened(key: SigningKey, tmp_path: Path) -> None:
    with opened(written(tmp_path / "hall.zip", key)) as archive:
        assert list(archive.lines(ROWS)) == [{"id": 1}]
        assert archive.content("README.txt") == b"x" * 2000


@pytest.mark.slow
def test_archive_with_any_byte_changed_is_the_same_or_refused(
    key: SigningKey, tmp_path: Path
) -> None:
    whole, chance = written(tmp_path / "hall.zip", key).read_bytes(), random.Random(7)
    refused: list[str] = []
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        file = tmp_path / "changed.zip"
        file.write_bytes(changed)
        try:
            with opened(file) as archive:
                assert archive.content("README.txt") == b"x" * 2000
        except Refusal as refusal:
            refused.append(refusal.code)
    assert {code.partition("_")[0] for code in refused} == {"archive"}
    assert len(whole) / 2 < len(refused) < len(whole)


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2], ids=["lzma", "bzip2"])
def test_archive_packed_as_none_of_ours_is_refused(
    key: SigningKey, tmp_path: Path, packed: int
) -> None:
    """One that unpacks by LZMA may ask for four gigabytes to begin with."""
    file = written(tmp_path / "hall.zip", key, packed=packed)
    with pytest.raises(Refusal, match="archive_unreadable"), opened(file):
        pass
    broken = bytearray(file.read_bytes())
    broken[HEADER + len(ROWS) + 4] ^= 0xFF
    file.write_bytes(broken)
    with pytest.raises(Refusal, match="archive_unreadable"), opened(file):
        pass


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.pop("hall"),
        lambda told: told.update(hall=[]),
        lambda told: told["hall"].update(code=7),
        lambda told: told.pop("journal"),
        lambda told: told["journal"].pop("head"),
        lambda told: told["journal"].update(entries="1"),
        lambda told: told.pop("pictures"),
        lambda told: told.update(files={}, archive=2),
        lambda told: told.update(files=[None]),
    ],
    ids=["no hall", "list", "code", "no journal", "head", "entries", "pictures", "version", "file"],
)
def test_manifest_that_says_less_than_ours_is_refused(
    key: SigningKey, tmp_path: Path, change: Callable[[Manifest], object]
) -> None:
    file = written(tmp_path / "hall.zip", key, change=change)
    with pytest.raises(Refusal, match="archive_unsigned"), opened(file):
        pass


@pytest.mark.parametrize(
    "rows",
    [b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b"{", b"\xff\n", b"1" * 5000],
    ids=["deep", "cut", "no text", "number"],
)
def test_line_that_nobody_reads_is_refused(key: SigningKey, tmp_path: Path, rows: bytes) -> None:
    with (
        opened(written(tmp_path / "hall.zip", key, rows=rows)) as archive,
        pytest.raises(Refusal, match="archive_rows"),
    ):
        list(archive.lines(ROWS))


def test_what_is_read_at_once_has_an_end(
    key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 8)
    monkeypatch.setattr(reading, "LARGEST_WHOLE", 1999)
    with opened(written(tmp_path / "hall.zip", key)) as archive:
        for read in (lambda: list(archive.lines(ROWS)), lambda: archive.content("README.txt")):
            with pytest.raises(Refusal, match="archive_bomb"):
                read()
