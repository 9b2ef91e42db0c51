"""The printed face of a card without what changes from card to card."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from bingo.pdf import kit
from bingo.rules import rulebooks
from bingo.writing import Writing
from draws.documents.cards import grid, palette
from draws.documents.cards.authorised import authorised
from draws.documents.cards.box import Box
from draws.documents.cards.job import Job
from draws.documents.cards.places import Places
from draws.documents.cards.press import Press
from draws.documents.cards.values import Printed

CORNER = 1.6 * mm
TOLD = {1: 0.22, 2: 0.08}  # share of the bar left free above and below so many lines
LEADING = 0.14  # share of a line left free above and below it, where there are several


def name(half: int) -> str:
    """Name the form of a face; halves of a double card count from 0."""
    return f"Face{half}"


def form(job: Job, half: int) -> str:
    """Draw a face once; give the operator that shows it."""
    return job.press.form(name(half), job.places.size, lambda press: _draw(press, job, half))


def told(job: Job, copy: int) -> str:
    """Draw once that a card is its `copy`-th reprint, a demonstration, or both; give the operator.

    Copy 0 is the first print, which is told of demonstrations only.
    """
    texts = [(_("Reprint: copy %(number)s") % {"number": copy + 1}).upper()] if copy else []
    if job.values.demonstration:
        texts.append(_("DEMONSTRATION – NO VALUE"))
    size = (job.places.told.width, job.places.told.height)
    return job.press.form(f"Told{copy}", size, lambda press: _told(press, job.places, texts))


def _draw(press: Press, job: Job, half: int) -> None:
    _panel(press, job)
    _words(press, job.values, job.places)
    _letter(press, job)
    _price(press, job, half)
    grid.draw(press, job)


def _told(press: Press, places: Places, texts: Sequence[str]) -> None:
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
        press.write(line, f"{_title(values.rulebook)} · {matrix}", kit.REGULAR, 6.4)
    press.write(places.label, _("Series"), kit.REGULAR, 7.6)
    press.write(places.series, values.identification, kit.SEMIBOLD, 13)
    size = Writing(values.language, values.currency).whole(values.size)
    press.write(places.of, _("of %(size)s cards") % {"size": size}, kit.REGULAR, 8.6, align=1)


def _title(rulebook: str) -> str:
    known = rulebooks.RULEBOOKS.get(rulebook)
    return known.title if known else rulebook


def _letter(press: Press, job: Job) -> None:
    """The letter stands on the colour of the back, which tells the series (R18)."""
    box = job.places.letter
    back = palette.back(job.values.back_colour)
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
    names = [_("Colour: %(colour)s") % {"colour": palette.face(values.face_colour).name}]
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
