"""A thermal printer in memory, on the one code page that has Iberian letters and the euro."""

from __future__ import annotations

import functools
import os
import shutil
import textwrap
import unicodedata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from escpos.printer import Dummy

CODE_PAGE = "CP858"  # page 19 of every ESC/POS printer: á ã ç ñ · and €
COLUMNS = 42  # of font A on 80 mm, at 180 dots an inch; at 203 there are 48
RULE = "-" * COLUMNS
# What the page lacks, as it is typed where there is nothing better.
PLAIN = MappingProxyType(
    str.maketrans(
        {
            "\N{NO-BREAK SPACE}": " ",
            "\N{NARROW NO-BREAK SPACE}": " ",
            "\N{EN DASH}": "-",
            "\N{EM DASH}": "-",
            "\N{MINUS SIGN}": "-",
            "\N{LEFT DOUBLE QUOTATION MARK}": '"',
            "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
            "\N{LEFT SINGLE QUOTATION MARK}": "'",
            "\N{RIGHT SINGLE QUOTATION MARK}": "'",
            "\N{HORIZONTAL ELLIPSIS}": "...",
        }
    )
)


def printer() -> Dummy:
    """Give a printer that keeps the commands it is sent, set back and on its code page."""
    made: Dummy = _dummy()()
    made.hw("INIT")
    made.charcode(CODE_PAGE)
    return made


def centred(out: Dummy, text: str, *, size: int = 1, bold: bool = False) -> None:
    """Print lines in the middle, `size` times as wide and high as usual."""
    out.set(align="center", bold=bold, custom_size=True, width=size, height=size)
    for line in textwrap.wrap(printable(text), COLUMNS // size):
        out.textln(line)


def row(out: Dummy, name: str, amount: str, *, size: int = 1) -> None:
    """Print a name at the left and an amount at the right, on two lines where one is too short."""
    out.set(align="left", bold=size > 1, custom_size=True, width=size, height=size)
    left, right, room = printable(name), printable(amount), COLUMNS // size
    if len(left) + 1 + len(right) > room:
        out.textln(left)
        left = ""
    out.textln(left + right.rjust(room - len(left)))


def printable(text: str) -> str:
    """Give text in signs of the code page: a strange letter without its accent, or ?."""
    return "".join(map(_sign, text.translate(PLAIN)))


def _sign(sign: str) -> str:
    # A name must not carry a command to the printer, such as the one that opens the drawer.
    if not sign.isprintable():
        return " "
    if _fits(sign):
        return sign
    bare = unicodedata.normalize("NFKD", sign)[0]
    return bare if _fits(bare) else "?"


def _fits(sign: str) -> bool:
    try:
        return bool(sign.encode(CODE_PAGE))
    except UnicodeEncodeError:
        return False


@functools.cache
def _dummy() -> type[Dummy]:
    # Half a second to import, and only the process that prints a receipt has to wait for it.
    from escpos import capabilities
    from escpos.printer import Dummy

    # At import it makes a folder for a copy of its table, and leaves it there.
    if "ESCPOS_CAPABILITIES_PICKLE_DIR" not in os.environ:
        shutil.rmtree(Path(capabilities.pickle_path).parent, ignore_errors=True)
    found: type[Dummy] = Dummy
    return found
