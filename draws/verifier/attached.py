"""The data of an acta, taken out of its PDF without a PDF library."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

MOST = 64 * 1024 * 1024  # bytes when unpacked
NEAR = 4096  # bytes of a dictionary before and after the name of its type
NAME = re.compile(rb"/EmbeddedFile(?![A-Za-z])")
STREAM = re.compile(rb">>\s*stream\r?\n")
LENGTH = re.compile(rb"/Length\s+([0-9]{1,10})\s*(?![0-9\sR]*R)")


class NoData(ValueError):
    """A PDF in which there is no data of an acta, or none that can be read."""


def attached(pdf: bytes) -> dict[str, Any]:
    """Give the values that an acta carries. Raises NoData, nothing else."""
    found = list(NAME.finditer(pdf))
    if len(found) != 1:
        raise NoData("it carries no data, or more than one file of it")
    at = found[0].start()
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
