"""The back of a card, whose colour tells the series (R18)."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.cards import ink, palette
from draws.documents.cards.authorised import authorised
from draws.documents.cards.box import Box
from draws.documents.cards.job import Job
from draws.documents.cards.places import BORDER
from draws.documents.cards.press import Press
from draws.documents.cards.values import Printed

CORNER = 1.6 * mm
APART = 4.2 * mm  # between the lines of the ground
LINES = 0.16  # share of white in them


def pages(job: Job, boxes: Sequence[Box]) -> Callable[[int], str]:
    """Draw the back once; give what puts it behind each face of a page of so many cards."""
    size = job.places.size
    shown = job.press.form("Back", size, lambda press: _draw(press, job.values, Box(0, 0, *size)))
    laid = [f"q 1 0 0 1 {box.x:.3f} {box.y:.3f} cm {shown} Q " for box in boxes]
    return lambda cards: "".join(laid[: cards * job.halves])


def _draw(press: Press, values: Printed, card: Box) -> None:
    colour = palette.back(values.back_colour)
    panel = card.inset(BORDER)
    _ground(press, panel, colour.strong)
    if panel.width > 1.5 * panel.height:
        ball = Box(panel.centre[0] - 18 * mm, panel.y, 36 * mm, panel.height)
        left, right = Box(panel.x, panel.y, ball.x - panel.x, panel.height), ball
        right = Box(ball.right, panel.y, panel.right - ball.right, panel.height)
    else:
        left, ball, right = panel.down(20 * mm, None, 20 * mm)
    _ball(press, ball, values.letter, colour.strong)
    press.setFillColor(kit.PAPER)
    _lines(press, left, (values.hall, values.licence or authorised(values)))
    size = Writing(values.language, values.currency).whole(values.size)
    series = _("Series %(letter)s") % {"letter": values.letter}
    count = _("%(size)s cards") % {"size": size}
    named = _("Colour: %(colour)s") % {"colour": colour.name}
    _lines(press, right, (f"{series} · {values.identification}", f"{count} · {named}"))


def _ground(press: Press, panel: Box, colour: str) -> None:
    """The dominant colour, and fine lines that a bad copy loses."""
    press.saveState()
    path = press.beginPath()
    path.roundRect(panel.x, panel.y, panel.width, panel.height, CORNER)
    press.clipPath(path, stroke=0, fill=0)
    press.setFillColor(colour)
    press.rect(panel.x, panel.y, panel.width, panel.height, stroke=0, fill=1)
    press.setStrokeColor(ink.lighter(colour, LINES))
    press.setLineWidth(0.5)
    x, y = panel.centre
    for ring in range(1, int((panel.width + panel.height) / APART)):
        press.circle(x, y, ring * APART / 2, stroke=1, fill=0)
    press.restoreState()


def _ball(press: Press, box: Box, letter: str, colour: str) -> None:
    x, y = box.centre
    radius = min(box.width, box.height) * 0.4
    press.setFillColor(kit.PAPER)
    press.circle(x, y, radius, stroke=0, fill=1)
    press.setStrokeColor(colour)
    press.setLineWidth(1.2)
    press.circle(x, y, radius * 0.9, stroke=1, fill=0)
    press.setFillColor(colour)
    inner = Box(x - radius * 0.62, y - radius * 0.5, radius * 1.24, radius)
    press.write(inner, letter, kit.BOLD, 200, align=0.5)


def _lines(press: Press, box: Box, lines: tuple[str, str]) -> None:
    first, second = (
        box.down(box.height / 2 - 7 * mm, 14 * mm, None)[1].inset(5 * mm, 0).down(8 * mm, None)
    )
    press.write(first, lines[0], kit.BOLD, 15, align=0.5)
    press.write(second, lines[1], kit.REGULAR, 10, align=0.5)
