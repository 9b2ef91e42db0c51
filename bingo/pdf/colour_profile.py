"""The colour space of documents: sRGB, as an ICC profile computed from its standard."""

from __future__ import annotations

import struct
from functools import cache

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

# IEC 61966-2-1: chromaticities of the three primaries and of white (D65), and the curve.
PRIMARIES = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
WHITE = (0.3127, 0.3290)
GAMMA, LINEAR = 2.4, (1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
# ICC.1:2004-10: the white that profiles are connected by (D50), and Bradford's matrix (annex E).
D50: Vector = (0.9642, 1.0, 0.8249)
BRADFORD: Matrix = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))
MADE = (2026, 11, 23, 0, 0, 0)
COLOUR_NAME = "sRGB IEC61966-2.1"


@cache
def srgb() -> bytes:
    """Return an ICC profile of version 4.2, a display of three primaries; always the same bytes."""
    adapted = _adaptation(_xyz(*WHITE), D50)
    columns = _product(adapted, _primaries())
    curve = b"para\0\0\0\0" + struct.pack(">HH", 3, 0)
    curve += b"".join(_fixed(value) for value in (GAMMA, *LINEAR))
    tags = {
        b"desc": _words(COLOUR_NAME),
        b"cprt": _words("Public domain"),
        b"wtpt": _coordinates(D50),
        b"chad": b"sf32\0\0\0\0" + b"".join(_fixed(value) for row in adapted for value in row),
        **{
            name: _coordinates((columns[0][place], columns[1][place], columns[2][place]))
            for place, name in enumerate((b"rXYZ", b"gXYZ", b"bXYZ"))
        },
    }
    return _profile(tags, curve)


def _profile(tags: dict[bytes, bytes], curve: bytes) -> bytes:
    """Lay the tags out behind the head; the three curves are one and the same piece."""
    names = [*tags, b"rTRC", b"gTRC", b"bTRC"]
    place = 128 + 4 + 12 * len(names)
    table, body, at_curve = b"", b"", 0
    for name in names:
        if name in tags or not at_curve:
            content = tags.get(name, curve)
            at = place + len(body)
            body += content + bytes(-len(content) % 4)
            at_curve = 0 if name in tags else at
        else:
            content, at = curve, at_curve
        table += struct.pack(">4sII", name, at, len(content))
    head = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4s8sI12s4s44x",
        place + len(body), b"\0\0\0\0", 0x04200000, b"mntr", b"RGB ", b"XYZ ", *MADE, b"acsp",
        b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", bytes(8), 0, _illuminant(), b"\0\0\0\0",
    )  # fmt: skip
    return head + struct.pack(">I", len(names)) + table + body


def _illuminant() -> bytes:
    return b"".join(_fixed(value) for value in D50)


def _words(text: str) -> bytes:
    content = text.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II4sII", 1, 12, b"enUS", len(content), 28) + content


def _coordinates(xyz: Vector) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(_fixed(value) for value in xyz)


def _fixed(value: float) -> bytes:
    return struct.pack(">i", round(value * 65536))


def _xyz(x: float, y: float) -> Vector:
    return x / y, 1.0, (1 - x - y) / y


def _primaries() -> Matrix:
    """Return the matrix from light of the three primaries to XYZ, white being all three in full."""
    columns = _turned(tuple(_xyz(*one) for one in PRIMARIES))  # type: ignore[arg-type]
    full = _applied(_inverse(columns), _xyz(*WHITE))
    return tuple(  # type: ignore[return-value]
        tuple(value * amount for value, amount in zip(row, full, strict=True)) for row in columns
    )


def _adaptation(white: Vector, wanted: Vector) -> Matrix:
    """Return Bradford's matrix from colours under one white to those under another."""
    seen, asked = _applied(BRADFORD, white), _applied(BRADFORD, wanted)
    scale: Matrix = (
        (asked[0] / seen[0], 0, 0),
        (0, asked[1] / seen[1], 0),
        (0, 0, asked[2] / seen[2]),
    )
    return _product(_inverse(BRADFORD), _product(scale, BRADFORD))


def _applied(matrix: Matrix, vector: Vector) -> Vector:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def _turned(matrix: Matrix) -> Matrix:
    one, two, three = zip(*matrix, strict=True)
    return one, two, three


def _product(left: Matrix, right: Matrix) -> Matrix:
    one, two, three = (_applied(left, column) for column in _turned(right))
    return _turned((one, two, three))


def _inverse(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (
        ((e * i - f * h) / whole, (c * h - b * i) / whole, (b * f - c * e) / whole),
        ((f * g - d * i) / whole, (a * i - c * g) / whole, (c * d - a * f) / whole),
        ((d * h - e * g) / whole, (b * g - a * h) / whole, (a * e - b * d) / whole),
    )
