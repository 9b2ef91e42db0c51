"""Print a slip on a thermal printer (ESC/POS, paper of 80 mm): its commands, and how they are sent.

Printers are set to the one code page that has Iberian letters and the euro.
"""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import os
import shutil
import socket
import textwrap
import unicodedata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from bingo import hosts
from bingo.rules import policies
from bingo.rules.refusal import Refusal
from bingo.slips.slip import Amounts, Line, LineStyle, Part, TillSlip

if TYPE_CHECKING:
    from escpos.printer import Dummy

CODE_PAGE = "CP858"  # page 19 of every ESC/POS printer: á ã ç ñ · and €
COLUMNS = 42  # of font A on 80 mm, at 180 dots an inch; at 203 there are 48
RULE = "-" * COLUMNS
DOTS = 4  # of one square: the longest note, that of a new key, still fits the paper's 512
BOLD = frozenset([LineStyle.TITLE, LineStyle.NUMBER, LineStyle.NOTICE])
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

PORT = 9100  # where printers take raw data
LAST_PORT = 9199  # a print server counts its printers up from the first; no other service is there
PATIENCE = 2.0  # seconds for a printer to answer, and again to take the slip
GRACE = 0.5  # seconds for it to end the connection


def to_commands(slip: TillSlip) -> bytes:
    """Return what a printer is sent, up to the cut of the paper.

    The same slip gives the same bytes. A code is drawn by the printer itself.
    """
    out: Dummy = _dummy()()
    out.hw("INIT")
    out.charcode(CODE_PAGE)
    _centre(out, slip.hall, size=2)
    _centre(out, slip.licence)
    for section in slip.sections:
        _centre(out, RULE)
        for part in section:
            _print(out, part)
    out.cut()
    written: bytes = out.output
    return written


def _print(out: Dummy, part: Part) -> None:
    if isinstance(part, Line):
        size = 2 if part.style is LineStyle.NUMBER else 1
        _centre(out, part.text, size=size, bold=part.style in BOLD)
    elif isinstance(part, Amounts):
        for place, (name, amount) in enumerate(part.rows):
            _row(out, name, amount, size=2 if place == part.total else 1)
    else:
        out.qr(part.text, size=DOTS, native=True)


def _centre(out: Dummy, text: str, *, size: int = 1, bold: bool = False) -> None:
    """Print lines in the middle, `size` times as wide and high as usual."""
    out.set(align="center", bold=bold, custom_size=True, width=size, height=size)
    for line in textwrap.wrap(_printable(text), COLUMNS // size):
        out.textln(line)


def _row(out: Dummy, name: str, amount: str, *, size: int) -> None:
    """Print a name at the left and an amount at the right, on two lines where one is too short."""
    out.set(align="left", bold=size > 1, custom_size=True, width=size, height=size)
    left, right, room = _printable(name), _printable(amount), COLUMNS // size
    if len(left) + 1 + len(right) > room:
        out.textln(left)
        left = ""
    out.textln(left + right.rjust(room - len(left)))


def _printable(text: str) -> str:
    """Return text in signs of the code page: a strange letter without its accent, or ?."""
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


def printer_address(text: str) -> tuple[str, int]:
    """Return host and port of a printer in the hall, port 9100 where none is named.

    Raises Refusal bad_printer for what is no plain name nor an address of a private network.
    """
    host, colon, port = text.partition(":")
    policies.require_printer(text if colon else f"{host}:{PORT}")
    return host, int(port) if colon else PORT


def require_in_hall(printer: str, *, loopback: bool) -> None:
    """Refuse a "host:port" that no printer of a hall has: bad_printer.

    A name is judged when it is asked, by `send`. `loopback` lets a printer be on this machine, at
    any port.
    """
    host, port = printer_address(printer)
    with contextlib.suppress(ValueError):
        address = ipaddress.ip_address(host)
        if loopback and address.is_loopback:
            return
        if not hosts.may_be_asked(address, loopback=loopback):
            raise Refusal("bad_printer", printer=printer)
    if not (PORT <= port <= LAST_PORT or loopback):
        raise Refusal("bad_printer", printer=printer)


def send(slip: TillSlip, printer: str, *, loopback: bool = False) -> None:
    """Print a slip on the printer at "host:port"; `loopback` lets it be on this machine.

    Raises Refusal: bad_printer, also where its name leads out of the hall's network;
    printer_unreachable when it cannot be found, answers with nothing or takes nothing in time, and
    then the paper may hold a part of the slip.
    """
    require_in_hall(printer, loopback=loopback)
    host, port = printer_address(printer)
    written = to_commands(slip)
    try:
        # The address that was judged is the one that is asked: a name may change its mind.
        address = hosts.resolve(host, port, loopback=loopback)
        with socket.create_connection((address, port), timeout=PATIENCE) as line:
            line.sendall(written)
            line.shutdown(socket.SHUT_WR)
            _hear_out(line)
    except hosts.NotAllowed:
        raise Refusal("bad_printer", printer=printer) from None
    except (OSError, UnicodeError) as error:
        raise Refusal("printer_unreachable", printer=printer) from error


def _hear_out(line: socket.socket) -> None:
    """Read what a printer says of itself, until it hangs up or GRACE is over.

    Words left unread at the close would reset the connection, and the printer may drop the slip.
    """
    line.settimeout(GRACE)
    try:
        while line.recv(1024):
            pass
    except OSError:
        return
