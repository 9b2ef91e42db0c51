"""Draw the face of a card without what changes from card to card: grid, letters, pattern.

The thirty symbols are forms, drawn once (R80).
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import cos, pi, sin

from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from bingo.money_and_dates import Writing
from bingo.pdf import kit
from bingo.rules import rulebooks
from bingo.symbols import SYMBOLS
from draws.cards import colours
from draws.cards.printing import press as printing_press
from draws.cards.printing.codes import Box, Places
from draws.cards.printing.press import Ink, Job, Press, Texture, texture
from draws.cards.printing.values import Printed, authorised

THIN, FRAME, HEAVY = 0.7, 1.6, 2.6
# R64: each column of the card of 80 has its own colour; till paper tells them by texture.
TONED = 80
TEXTURES: tuple[Texture | None, ...] = (None, "dots", "level", "slanted")

Cells = list[list[Box]]
Pattern = frozenset[tuple[int, int]]


def draw_grid(press: Press, job: Job) -> None:
    """Draw all of the grid that is the same on every card of the issue."""
    format, grid, ink = job.format, job.places.grid, job.ink
    cells = grid.cells(format.rows, format.columns)
    pattern = job.values.pattern or frozenset()
    _grid_fill(press, grid, printing_press.lighter(ink.tint, 0.5))
    if format.highest == TONED:
        _columns(press, cells, ink)
    for row, column in sorted(pattern):
        _marked(press, cells[row][column], ink)
    _grid_lines(press, cells, grid, ink)
    _outline(press, cells, pattern)
    for row, column in format.free:
        _star(press, cells[row][column], ink)
    if format.letters:
        _letters(press, job.places.heads, format.letters, ink)


def _columns(press: Press, cells: Cells, ink: Ink) -> None:
    for row in cells:
        for cell, tone, kind in zip(row, printing_press.tones(ink), TEXTURES, strict=True):
            if not ink.black_only:
                _grid_fill(press, cell, tone)
            elif kind:
                _textured(press, cell, kind)


def _marked(press: Press, cell: Box, ink: Ink) -> None:
    """A cell of the pattern (R76): darker, or hatched where there is only black."""
    if ink.black_only:
        _textured(press, cell, "slanted")
    else:
        _grid_fill(press, cell, printing_press.lighter(ink.shade, 0.3))


def _textured(press: Press, cell: Box, kind: Texture) -> None:
    """A texture at the edge of a cell, white where the number will stand."""
    texture(press, cell, kind)
    field = cell.inset(cell.width * 0.17, cell.height * 0.15)
    press.setFillColor(kit.PAPER)
    press.roundRect(field.x, field.y, field.width, field.height, 4, stroke=0, fill=1)


def _grid_fill(press: Press, cell: Box, colour: str) -> None:
    press.setFillColor(colour)
    press.rect(cell.x, cell.y, cell.width, cell.height, stroke=0, fill=1)


def _grid_lines(press: Press, cells: Cells, grid: Box, ink: Ink) -> None:
    press.setStrokeColor(ink.strong)
    press.setLineWidth(THIN)
    for cell in cells[0][1:]:
        press.line(cell.x, grid.y, cell.x, grid.top)
    for row in cells[1:]:
        press.line(grid.x, row[0].top, grid.right, row[0].top)
    press.setLineWidth(FRAME)
    press.rect(grid.x, grid.y, grid.width, grid.height, stroke=1, fill=0)


def _outline(press: Press, cells: Cells, pattern: Pattern) -> None:
    """A heavy line round the figure: on each side of a cell whose neighbour is not of it."""
    press.setStrokeGray(0)
    press.setLineWidth(HEAVY)
    press.setLineCap(2)
    for row, column in sorted(pattern):
        cell = cells[row][column]
        sides = {
            (row - 1, column): (cell.x, cell.top, cell.right, cell.top),
            (row + 1, column): (cell.x, cell.y, cell.right, cell.y),
            (row, column - 1): (cell.x, cell.y, cell.x, cell.top),
            (row, column + 1): (cell.right, cell.y, cell.right, cell.top),
        }
        for neighbour, side in sides.items():
            if neighbour not in pattern:
                press.line(*side)
    press.setLineCap(0)


def _star(press: Press, cell: Box, ink: Ink) -> None:
    """The star of a cell that counts as marked (R71 c, R72)."""
    x, y = cell.centre
    radius = min(cell.width, cell.height) * 0.40
    path = press.beginPath()
    for point in range(10):
        reach = radius if point % 2 == 0 else radius * 0.42
        angle = pi / 2 + point * pi / 5
        place = (x + reach * cos(angle), y - radius * 0.06 + reach * sin(angle))
        (path.lineTo if point else path.moveTo)(*place)
    path.close()
    press.setFillColor(ink.strong)
    press.drawPath(path, stroke=0, fill=1)


def _letters(press: Press, heads: Box, text: str, ink: Ink) -> None:
    """B-I-N-G-O, one over each column (R70)."""
    _grid_fill(press, heads, ink.strong)
    press.setFillColor(kit.PAPER)
    columns = heads.across(*[heads.width / len(text)] * len(text))
    for letter, column in zip(text, columns, strict=True):
        press.write(column.inset(0, column.height * 0.16), letter, kit.BOLD, 60, align=0.5)


CORNER = 1.6 * mm
TOLD = {1: 0.22, 2: 0.08}  # share of the bar left free above and below so many lines
LEADING = 0.14  # share of a line left free above and below it, where there are several


def name(half: int) -> str:
    """Name the form of a face; halves of a double card count from 0."""
    return f"Face{half}"


def form(job: Job, half: int) -> str:
    """Draw a face once; return the operator that shows it."""
    return job.press.form(name(half), job.places.size, lambda press: _draw(press, job, half))


def draw_status(job: Job, copy: int) -> str:
    """Draw once that a card is its `copy`-th reprint, a demonstration, or both; return the operator.

    Copy 0 is the first print, which is told of demonstrations only.
    """
    texts = [(_("Reprint: copy %(number)s") % {"number": copy + 1}).upper()] if copy else []
    if job.values.demonstration:
        texts.append(_("DEMONSTRATION – NO VALUE"))
    size = (job.places.told.width, job.places.told.height)
    return job.press.form(f"Told{copy}", size, lambda press: _draw_notice(press, job.places, texts))


def _draw(press: Press, job: Job, half: int) -> None:
    _panel(press, job)
    _words(press, job.values, job.places)
    _letter(press, job)
    _price(press, job, half)
    draw_grid(press, job)


def _draw_notice(press: Press, places: Places, texts: Sequence[str]) -> None:
    box = Box(0, 0, places.told.width, places.told.height)
    press.setFillGray(0)
    press.roundRect(0, 0, box.width, box.height, CORNER / 2, stroke=0, fill=1)
    press.setFillGray(1)
    with press.turned(box, upright=places.upright) as line:
        inner = line.inset(1.5 * mm, line.height * TOLD[len(texts)])
        for part, text in zip(_lines(inner, len(texts)), texts, strict=True):
            press.write(part, text, kit.BOLD, 12, align=0.5)


def _panel(press: Press, job: Job) -> None:
    panel, code = job.places.panel, job.places.code
    if not panel.width:
        return
    press.setFillColor(job.ink.tint)
    press.setStrokeColor(job.ink.shade)
    press.setLineWidth(0.6)
    press.roundRect(panel.x, panel.y, panel.width, panel.height, CORNER, stroke=1, fill=1)
    if code:
        field = code.field
        press.setFillColor(kit.PAPER)
        press.roundRect(field.x, field.y, field.width, field.height, CORNER / 2, stroke=0, fill=1)


def _words(press: Press, values: Printed, places: Places) -> None:
    press.setFillGray(0)
    press.write(places.hall.inset(0, places.hall.height * 0.08), values.hall, kit.BOLD, 13)
    licence = " · ".join(part for part in (values.licence, authorised(values)) if part)
    press.write(places.licence, licence, kit.REGULAR, 7.6)
    matrix = _("matrix %(version)s") % {"version": values.version}
    with press.turned(places.book, upright=places.upright) as line:
        press.write(line, f"{rulebooks.title(values.rulebook)} · {matrix}", kit.REGULAR, 6.4)
    press.write(places.label, _("Series"), kit.REGULAR, 7.6)
    press.write(places.series, values.identification, kit.SEMIBOLD, 13)
    size = Writing(values.language, values.currency).whole(values.size)
    press.write(places.of, _("of %(size)s cards") % {"size": size}, kit.REGULAR, 8.6, align=1)


def _letter(press: Press, job: Job) -> None:
    """The letter stands on the colour of the back, which tells the series (R18)."""
    box = job.places.letter
    back = colours.back(job.values.back_colour)
    press.setFillColor(job.ink.strong if job.ink.black_only else back.strong)
    press.roundRect(box.x, box.y, box.width, box.height, CORNER / 2, stroke=0, fill=1)
    press.setFillColor(kit.PAPER)
    inner = box.inset(box.width * 0.12, box.height * 0.15)
    press.write(inner, job.values.letter, kit.BOLD, 60, align=0.5)


def _price(press: Press, job: Job, half: int) -> None:
    values, places = job.values, job.places
    money = Writing(values.language, values.currency).money(values.face)
    press.setFillGray(0)
    press.write(places.price.inset(0, places.price.height * 0.08), money, kit.BOLD, 22)
    names = [_("Colour: %(colour)s") % {"colour": colours.face(values.face_colour).name}]
    if values.double:
        names.append(_("Double: part %(half)s of 2") % {"half": half + 1})
    for line, text in zip(_lines(places.names, len(names)), names, strict=True):
        press.write(line, text, kit.SEMIBOLD, 8.4, align=places.aligned)


def _lines(box: Box, count: int) -> list[Box]:
    """Divide a box into lines whose letters do not touch those above and below."""
    if count == 1:
        return [box]
    high = box.height / count
    return [line.inset(0, high * LEADING) for line in box.down(*[high] * count)]


SIDE = 64.0
TOKEN = re.compile(r"[MLCZ]|-?[0-9]+(?:\.[0-9]+)?")
OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def forms(press: Press) -> Mapping[int, str]:
    """Draw each symbol once; give, by number, the operator that shows it in a SIDE square."""
    return {
        symbol.number: press.form(
            f"Symbol{symbol.number}", (SIDE, SIDE), partial(_symbol_fill, path=symbol.path)
        )
        for symbol in SYMBOLS
    }


def operators(path: str) -> str:
    """Return an SVG path of absolute M, L, C, Z, y downwards, as PDF path operators."""
    written: list[str] = []
    command, numbers = "", list[str]()
    for token in [*TOKEN.findall(path), "Z"]:
        if token not in OPERATORS:
            numbers.append(token)
            continue
        if command:
            written += [*numbers, OPERATORS[command]]
        command, numbers = token, []
    return " ".join(written)


def _symbol_fill(press: Press, path: str) -> None:
    press.setFillGray(0)
    press.transform(1, 0, 0, -1, 0, SIDE)
    press.raw(f"{operators(path)} f")
