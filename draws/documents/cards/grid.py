"""The empty grid of a card: its cells, columns, letters, free centre and drawn pattern."""

from math import cos, pi, sin

from bingo.pdf import kit
from draws.documents.cards import ink as inks
from draws.documents.cards.box import Box
from draws.documents.cards.ink import Ink
from draws.documents.cards.job import Job
from draws.documents.cards.press import Press
from draws.documents.cards.texture import Texture, texture

THIN, FRAME, HEAVY = 0.7, 1.6, 2.6
# R64: each column of the card of 80 has its own colour; till paper tells them by texture.
TONED = 80
TEXTURES: tuple[Texture | None, ...] = (None, "dots", "level", "slanted")

Cells = list[list[Box]]
Pattern = frozenset[tuple[int, int]]


def draw(press: Press, job: Job) -> None:
    """Draw all of the grid that is the same on every card of the issue."""
    format, grid, ink = job.format, job.places.grid, job.ink
    cells = grid.cells(format.rows, format.columns)
    pattern = job.values.pattern or frozenset()
    _fill(press, grid, inks.lighter(ink.tint, 0.5))
    if format.highest == TONED:
        _columns(press, cells, ink)
    for row, column in sorted(pattern):
        _marked(press, cells[row][column], ink)
    _lines(press, cells, grid, ink)
    _outline(press, cells, pattern)
    for row, column in format.free:
        _star(press, cells[row][column], ink)
    if format.letters:
        _letters(press, job.places.heads, format.letters, ink)


def _columns(press: Press, cells: Cells, ink: Ink) -> None:
    for row in cells:
        for cell, tone, kind in zip(row, inks.tones(ink), TEXTURES, strict=True):
            if not ink.black_only:
                _fill(press, cell, tone)
            elif kind:
                _textured(press, cell, kind)


def _marked(press: Press, cell: Box, ink: Ink) -> None:
    """A cell of the pattern (R76): darker, or hatched where there is only black."""
    if ink.black_only:
        _textured(press, cell, "slanted")
    else:
        _fill(press, cell, inks.lighter(ink.shade, 0.3))


def _textured(press: Press, cell: Box, kind: Texture) -> None:
    """A texture at the edge of a cell, white where the number will stand."""
    texture(press, cell, kind)
    field = cell.inset(cell.width * 0.17, cell.height * 0.15)
    press.setFillColor(kit.PAPER)
    press.roundRect(field.x, field.y, field.width, field.height, 4, stroke=0, fill=1)


def _fill(press: Press, cell: Box, colour: str) -> None:
    press.setFillColor(colour)
    press.rect(cell.x, cell.y, cell.width, cell.height, stroke=0, fill=1)


def _lines(press: Press, cells: Cells, grid: Box, ink: Ink) -> None:
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
    _fill(press, heads, ink.strong)
    press.setFillColor(kit.PAPER)
    columns = heads.across(*[heads.width / len(text)] * len(text))
    for letter, column in zip(text, columns, strict=True):
        press.write(column.inset(0, column.height * 0.16), letter, kit.BOLD, 60, align=0.5)
