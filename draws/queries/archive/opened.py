"""An archive that somebody brings, opened and held against its manifest before anything is believed."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bingo.pdf import detached
from bingo.pdf.keys import SealError
from bingo.rules.refusal import Refusal

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
SEAL, AUTHORITY = "certificates/seal.pem", "certificates/authority.pem"
UNLISTED = (MANIFEST, SIGNATURE)
VERSION = 1
BLOCK = 1 << 20
MOST_FILES = 2_000_000
MOST = 1 << 36  # bytes of all files: 64 GiB
LARGEST_MANIFEST = 1 << 29  # bytes: two million files take less
LARGEST_PAPER = 1 << 20  # bytes of a signature or a certificate
LARGEST_WHOLE = 1 << 28  # bytes of a file that is read at once: a picture, a sheet, an acta
LONGEST_LINE = 1 << 26  # bytes of a row
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes to be unpacked
RATIO, SMALL = 400, 1 << 20  # a file of more bytes that shrinks more than that is no record
NAME = re.compile(r"(?:[a-z]{1,20}/)?[A-Za-z0-9][A-Za-z0-9_-]{0,120}(?:\.[A-Za-z0-9]{1,10})")
BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError,
    NotImplementedError, RuntimeError,
)  # fmt: skip

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A verified archive; `manifest` is what its hall has signed, `authority` the hall's own PEM."""

    archive: zipfile.ZipFile
    manifest: dict[str, Any]
    authority: bytes

    @property
    def names(self) -> list[str]:
        """The files it holds, in their order."""
        return [listed["name"] for listed in self.manifest["files"]]

    @property
    def trust(self) -> str:
        """SHA-256 of the authority's PEM, to compare with a copy kept elsewhere."""
        return hashlib.sha256(self.authority).hexdigest()

    def blocks(self, name: str) -> Iterator[bytes]:
        """Read a file."""
        return _blocks(self.archive, name)

    def content(self, name: str) -> bytes:
        """Read a whole file. Raises Refusal archive_bomb; KeyError where there is none."""
        if self.archive.getinfo(name).file_size > LARGEST_WHOLE:
            raise Refusal("archive_bomb")
        return b"".join(self.blocks(name))

    def lines(self, name: str) -> Iterator[Any]:
        """Read the JSON value of each line of a file. Raises Refusal: archive_rows, archive_bomb."""
        try:
            with self.archive.open(name) as opened:
                while line := opened.readline(LONGEST_LINE + 1):
                    if len(line) > LONGEST_LINE:
                        raise Refusal("archive_bomb")
                    yield json.loads(line)
        except (ValueError, KeyError, RecursionError) as error:
            raise Refusal("archive_rows", name=name) from error


@contextmanager
def opened(
    file: Path, *, trust: bytes | None = None, progress: Progress = lambda _done, _total: None
) -> Iterator[Opened]:
    """Open an archive whose signature holds and whose every file is the one that was signed.

    `trust` is the authority's PEM where it is known from elsewhere. Raises Refusal:
    archive_unreadable, archive_name, archive_bomb, archive_incomplete, archive_untrusted,
    archive_unsigned, archive_extra, archive_differs.
    """
    try:
        archive = zipfile.ZipFile(file)
    except BROKEN as error:
        raise Refusal("archive_unreadable") from error
    with archive:
        infos = _named(archive)
        manifest, authority = _signed(archive, infos, trust)
        _require_same_names(manifest, infos)
        total = len(manifest["files"])
        for done, listed in enumerate(manifest["files"], start=1):
            _require_same(archive, infos[listed["name"]], listed)
            progress(done, total)
        yield Opened(archive, manifest, authority)


def _named(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Give the files by name: each once, by a plain name, of a size that a record has."""
    infos: dict[str, zipfile.ZipInfo] = {}
    found = archive.infolist()
    if len(found) > MOST_FILES or sum(one.file_size for one in found) > MOST:
        raise Refusal("archive_bomb")
    for info in found:
        if not NAME.fullmatch(info.filename) or info.filename in infos:
            raise Refusal("archive_name", name=info.filename[:80])
        if info.compress_type not in PACKED or info.header_offset < 0:
            raise Refusal("archive_unreadable")
        if info.file_size > SMALL and info.file_size > RATIO * info.compress_size:
            raise Refusal("archive_bomb")
        infos[info.filename] = info
    return infos


def _signed(
    archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], trust: bytes | None
) -> tuple[dict[str, Any], bytes]:
    content = _paper(archive, infos, MANIFEST, LARGEST_MANIFEST)
    signature, seal, authority = (
        _paper(archive, infos, name, LARGEST_PAPER) for name in (SIGNATURE, SEAL, AUTHORITY)
    )
    if trust is not None and trust.strip() != authority.strip():
        raise Refusal("archive_untrusted")
    try:
        detached.verify(content, signature, seal=seal, trust=authority)
        manifest = json.loads(content)
        if not _is_manifest(manifest) or not all(map(_is_listed, manifest["files"])):
            raise Refusal("archive_unsigned")
    except (SealError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refusal("archive_unsigned") from error
    return manifest, authority


def _is_manifest(told: Any) -> bool:
    return (
        told["archive"] == VERSION
        and isinstance(told["hall"]["code"], str)
        and isinstance(told["journal"]["entries"], int)
        and isinstance(told["journal"]["head"], str)
        and isinstance(told["pictures"], bool)
    )


def _is_listed(listed: Any) -> bool:
    return (
        set(listed) == {"name", "size", "sha256"}
        and isinstance(listed["name"], str)
        and isinstance(listed["size"], int)
    )


def _paper(
    archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], name: str, largest: int
) -> bytes:
    if name not in infos:
        raise Refusal("archive_incomplete", name=name)
    if infos[name].file_size > largest:
        raise Refusal("archive_bomb")
    return b"".join(_blocks(archive, name))


def _blocks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Read a file, never more of it than its entry says. Raises Refusal archive_differs."""
    try:
        with archive.open(name) as opened:
            while block := opened.read(BLOCK):
                yield block
    except BROKEN as error:
        raise Refusal("archive_differs", name=name) from error


def _require_same_names(manifest: dict[str, Any], infos: dict[str, zipfile.ZipInfo]) -> None:
    listed = [one["name"] for one in manifest["files"]]
    if gone := sorted(set(listed) - set(infos)):
        raise Refusal("archive_incomplete", name=gone[0])
    extra = sorted(set(infos) - set(listed) - set(UNLISTED))
    if extra or len(set(listed)) != len(listed) or set(UNLISTED) & set(listed):
        raise Refusal("archive_extra", name=(extra or [MANIFEST])[0])


def _require_same(archive: zipfile.ZipFile, info: zipfile.ZipInfo, listed: dict[str, Any]) -> None:
    digest = hashlib.sha256()
    if info.file_size != listed["size"]:
        raise Refusal("archive_differs", name=info.filename)
    for block in _blocks(archive, info.filename):
        digest.update(block)
    if digest.hexdigest() != listed["sha256"]:
        raise Refusal("archive_differs", name=info.filename)
