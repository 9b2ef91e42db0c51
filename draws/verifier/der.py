"""DER (X.690): values as they stand in the bytes, one way of writing each, or refused."""

from __future__ import annotations

from dataclasses import dataclass

INTEGER, OCTETS, NULL, OID, SEQUENCE, SET = 0x02, 0x04, 0x05, 0x06, 0x30, 0x31
DEEPEST = 32


class NotDer(ValueError):
    """Bytes that are not DER, or not of the form looked for."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its tag, what is in it, and the whole of it as it stands."""

    tag: int
    content: bytes
    raw: bytes

    def parts(self, *tags: int) -> list[Value]:
        """Give the values in this one; with tags, exactly those. Raises NotDer."""
        found = []
        at = 0
        while at < len(self.content):
            found.append(first(self.content, at))
            at += len(found[-1].raw)
        if tags and tuple(part.tag for part in found) != tags:
            raise NotDer("has another form")
        return found


def first(data: bytes, at: int = 0) -> Value:
    """Give the value that begins at a place. Raises NotDer."""
    head = data[at : at + 2]
    if len(head) < 2 or head[0] & 0x1F == 0x1F:
        raise NotDer("is not written in DER")
    begin, length = at + 2, head[1]
    if length >= 0x80:
        octets = data[begin : begin + (length & 0x7F)]
        begin, length = begin + len(octets), int.from_bytes(octets, "big")
        if not octets or octets[0] == 0 or length < 0x80:
            raise NotDer("is not written in DER")
    end = begin + length
    if end > len(data):
        raise NotDer("is cut off")
    return Value(head[0], data[begin:end], data[at:end])


def only(data: bytes, tag: int) -> Value:
    """Give the value that the bytes are, DER all the way down. Raises NotDer."""
    value = first(data)
    if len(value.raw) != len(data) or value.tag != tag:
        raise NotDer("has another form")
    _require_throughout(value, 0)
    return value


def _require_throughout(value: Value, depth: int) -> None:
    if depth > DEEPEST:
        raise NotDer("is nested too deep")
    if value.tag & 0x20:
        for part in value.parts():
            _require_throughout(part, depth + 1)
