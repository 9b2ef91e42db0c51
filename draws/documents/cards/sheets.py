"""Cards on sheets: six faces a page, backs behind them, marks to cut by."""

from typing import BinaryIO

from bingo.rules import formats
from draws.documents.cards import back as backs
from draws.documents.cards import ink, palette, symbols, tall, wide
from draws.documents.cards import paper as papers
from draws.documents.cards.check import check
from draws.documents.cards.front import Front
from draws.documents.cards.job import Job
from draws.documents.cards.paper import PAPERS
from draws.documents.cards.press import Press
from draws.documents.cards.run import Progress, run
from draws.documents.cards.values import Cards, CodeName, Printed, SheetName


def sheets(
    values: Printed,
    cards: Cards,
    *,
    paper: SheetName,
    code: CodeName,
    back: bool,
    crop: bool,
    out: BinaryIO,
    progress: Progress,
) -> int:
    """Print cards on sheets, in the language that is active; give the number of pages.

    Six cards a page in their order, so that a strip of 90 fills one; of double cards three, both
    halves of each. With `back` each page is followed by its back, for a printer that turns
    sheets over their long edge. `progress` is told the cards done at least every fifty pages; what
    it raises ends the print, and `out` then holds nothing of use. The same values in the same
    language give the same bytes.

    Refusals: unknown_format, not_printable, bad_card, code_out_of_range.
    """
    check(values, cards)
    sheet = PAPERS[paper]
    format = formats.get(values.format)
    columns = papers.columns(format)
    boxes = sheet.slots(columns)
    size = (boxes[0].width, boxes[0].height)
    places = (
        wide.places(size, code, values.identification)
        if columns == 1
        else tall.places(size, format, code)
    )
    press = Press(out, size=sheet.size, values=values)
    if back:
        press.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    job = Job(
        press=press,
        values=values,
        format=format,
        places=places,
        code=code,
        ink=ink.of(palette.face(values.face_colour)),
        symbols=symbols.forms(press) if values.symbols else {},
    )

    def marks(press: Press) -> None:
        if crop:
            papers.mark(press, boxes, double=values.double)
        if values.double:
            papers.fold(press, boxes)

    behind = backs.pages(job, papers.backs(boxes, sheet)) if back else None
    return run(press, Front(job, boxes, marks), cards, progress, behind)
