"""What a thermal printer makes of the bytes it is sent: lines of a size, and the cut."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line; `size` is how many times as wide and high as usual."""

    text: str
    size: int
    bold: bool
    align: str


def printed(sent: bytes) -> list[Line]:
    """Obey the commands that a receipt needs; any other one is a fault, and so is paper not cut.

    ESC @ set back, ESC t 19 page 858, GS ! size, ESC E bold, ESC a align, ESC d feed, GS V cut.
    """
    assert sent.startswith(b"\x1b@\x1bt\x13")
    assert sent.endswith(b"\x1bd\x06\x1dV\x00")
    lines: list[Line] = []
    size, bold, align, text = 1, False, "left", b""
    rest = iter(sent.removeprefix(b"\x1b@\x1bt\x13").removesuffix(b"\x1bd\x06\x1dV\x00"))
    for sign in rest:
        if sign == 0x0A:
            lines.append(Line(text.decode("cp858"), size, bold, align))
            text = b""
        elif sign == 0x1D:
            assert next(rest) == ord("!")
            wide, high = divmod(next(rest), 16)
            assert wide == high
            size = wide + 1
        elif sign == 0x1B:
            command, value = next(rest), next(rest)
            if command == ord("E"):
                bold = bool(value)
            else:
                assert command == ord("a")
                align = ("left", "center", "right")[value]
        else:
            assert sign >= 0x20, hex(sign)
            text += bytes([sign])
    assert text == b""
    return lines
