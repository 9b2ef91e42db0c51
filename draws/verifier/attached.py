"""The data of an acta, taken out of its PDF without a PDF library."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

MOST = 64 * 1024 * 1024  # bytes when unpacked
FILES, SCHEMA = 2, "$schema"  # the data, and what describes them
NEAR = 4096  # bytes of a dictionary before and after the name of its type
NAME = re.compile(rb"/EmbeddedFile(?![A-Za-z])")
STREAM = re.compile(rb">>\s*stream\r?\n")
LENGTH = re.compile(rb"/Length\s+([0-9]{1,10})\s*(?![0-9\sR]*R)")


class NoData(ValueError):
    """A PDF in which there is no data of an acta, or none that can be read."""


def attached(pdf: bytes) -> dict[str, Any]:
    """Give the values that an acta carries, not the schema beside them. Raises NoData, nothing else."""
    found = [match.start() for match in NAME.finditer(pdf)]
    if not 1 <= len(found) <= FILES:
        raise NoData("it carries no data, or more than one file of it")
    carried = [one for one in (_read(pdf, at) for at in found) if SCHEMA not in one]
    if len(carried) != 1:
        raise NoData("it carries no data, or more than one file of it")
    return carried[0]


def _read(pdf: bytes, at: int) -> dict[str, Any]:
    """Give the value of the embedded file whose type is named at that place."""
    stream = STREAM.search(pdf, at, at + NEAR)
    if stream is None:
        raise NoData("its data cannot be read")
    head = pdf[pdf.rfind(b"obj", max(0, at - NEAR), at) : stream.start()]
    begin, length = stream.end(), LENGTH.search(head)
    end = begin + int(length[1]) if length else pdf.find(b"endstream", begin)
    try:
        value = json.loads(_unpacked(pdf[begin:end]), parse_float=str)
    except (ValueError, zlib.error, RecursionError) as error:
        raise NoData("its data cannot be read") from error
    if not isinstance(value, dict):
        raise NoData("its data cannot be read")
    return value


def _unpacked(packed: bytes) -> bytes:
    machine = zlib.decompressobj()
    value = machine.decompress(packed, MOST)
    if not machine.eof:
        raise NoData("its data is too long")
    return value
