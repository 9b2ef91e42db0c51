"""The acta of a session as a PDF: what happened, game by game, with the lines to sign (R58-61)."""

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, Paragraph, Spacer, Table, TableStyle

from bingo.pdf import attachment, kit, pages
from bingo.pdf.digest import Digest
from bingo.writing import Writing
from draws.documents import acta_checkpoint, acta_game, acta_notes, acta_tills, acta_totals
from draws.documents.acta_values import (
    ActaValues,
    BallValues,
    ExtraValues,
    GameValues,
    IssueValues,
    NoteValues,
    RefundValues,
    RejectedValues,
    SellerValues,
    TillValues,
    WinnerValues,
    WitnessedValues,
    WrittenOffValues,
    data,
)
from draws.documents.acta_words import letter
from draws.documents.checkpoint_values import CheckpointValues

__all__ = [
    "ActaValues",
    "BallValues",
    "ExtraValues",
    "GameValues",
    "IssueValues",
    "NoteValues",
    "RefundValues",
    "RejectedValues",
    "SellerValues",
    "TillValues",
    "WinnerValues",
    "WitnessedValues",
    "WrittenOffValues",
    "data",
    "draw",
]

GAME = 300  # points an ordinary game takes, so that the heading of the games stays with the first


def draw(values: ActaValues, *, checkpoint: CheckpointValues | None = None) -> bytes:
    """The acta in the language that is active, carrying its own values as acta.json.

    `checkpoint` is the journal's last, where one was signed. The same values in the same language
    give the same bytes. The PDF is not yet sealed.
    """
    writing = Writing(values.language, values.currency)
    title = _("Acta of session %(number)s") % {"number": values.session}
    sheet = pages.Sheet(
        title=f"{title} · {values.hall}",
        author=values.hall,
        subject=values.rulebook,
        language=values.language,
        head=f"{values.hall} · {title} · {writing.day(values.opened_at)}",
        foot=f"{values.licence} · {values.rulebook}",
    )
    content = attachment.canonical(data(values))
    described = _("The data of this acta")

    def start(canvas: Canvas) -> None:
        attachment.embed(canvas, content, description=described)

    return pages.compose(_story(values, writing, checkpoint), sheet, start=start)


def _story(
    values: ActaValues, writing: Writing, checkpoint: CheckpointValues | None
) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *_games(values, writing),
        *_numbered(3, _("Summary of the games")),
        _currency(values),
        acta_totals.summary(values.games, writing),
        *_numbered(4, _("Notes"), room=130),
        *acta_notes.section(values, writing),
        *_numbered(5, _("Tills")),
        _currency(values),
        acta_tills.table(values.tills, writing),
        # A sheet that holds nothing but signatures could be put under any other acta.
        *_unparted(
            [
                *_journal(values),
                *acta_checkpoint.section(checkpoint),
                *_signatures(values, writing),
            ]
        ),
    ]


def _unparted(flowables: list[Flowable]) -> list[Flowable]:
    """Give them on one page; unlike KeepTogether this counts the space before the first."""
    matter = [each for each in flowables if not isinstance(each, CondPageBreak)]
    room = sum(
        each.getSpaceBefore() + each.wrap(kit.WIDTH, kit.PAGE[1])[1] + each.getSpaceAfter()
        for each in matter
    )
    return [CondPageBreak(room), *matter]


def _games(values: ActaValues, writing: Writing) -> list[Flowable]:
    story = [*_numbered(2, _("Games"), room=GAME), _currency(values)]
    for game in values.games:
        story += acta_game.section(game, values.article, writing)
    if not values.games:
        story.append(kit.paragraph(_("No game was held.")))
    return story


def _opening(values: ActaValues, writing: Writing) -> list[Flowable]:
    masthead = Table(
        [
            [kit.paragraph(values.hall, kit.VALUE), _right(values.licence)],
            ["", _right(values.rulebook)],
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("SPAN", (0, 0), (0, 1)),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )
    number = _("Acta of session %(number)s") % {"number": values.session}
    return [
        masthead,
        Spacer(0, 14),
        kit.paragraph(number, kit.TITLE),
        Spacer(0, 3),
        kit.paragraph(writing.day(values.opened_at)),
        *_numbered(1, _("Session")),
        _facts(values, writing),
    ]


def _facts(values: ActaValues, writing: Writing) -> Table:
    void = sum(game.voided is not None for game in values.games)
    facts = (
        (_("Session opened"), "a", writing.instant(values.opened_at)),
        (_("Opened by"), "", values.opened_by),
        (_("Games"), "", writing.whole(len(values.games))),
        (_("Session closed"), "", writing.instant(values.closed_at)),
        (_("Closed by"), "", values.closed_by),
        (_("Void games"), "i", writing.whole(void)),
        (_("Time zone"), "", writing.offset(values.opened_at)),
        (_("Cards sold"), "d", writing.whole(sum(game.cards_sold for game in values.games))),
        (_("Collected"), "e", writing.money(sum(game.gross for game in values.games))),
    )
    cells = [
        [
            kit.labelled(name, letter(values.article, mark) if mark else ""),
            kit.paragraph(text, kit.VALUE),
        ]
        for name, mark, text in facts
    ]
    rows = [[*cells[n : n + 3]] for n in range(0, len(cells), 3)]
    return Table(
        rows,
        colWidths=[kit.WIDTH * share for share in (0.4, 0.35, 0.25)],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        ),
    )


def _journal(values: ActaValues) -> list[Flowable]:
    told = _(
        "This acta was made from entries %(first)s to %(last)s of the hall's journal. The digest "
        "below is that of the last of them; each digest covers the one before it, so that no "
        "earlier entry can change without changing this one. The same data is attached to this "
        "file as %(file)s, and the electronic seal allows no later change."
    ) % {
        "first": values.journal_first,
        "last": values.journal_last,
        "file": attachment.NAME,
    }
    return [
        *_numbered(6, _("Journal")),
        kit.paragraph(told, kit.SMALL),
        Spacer(0, 5),
        kit.labelled(_("Digest (SHA-256) of entry %(number)s") % {"number": values.journal_last}),
        Spacer(0, 2),
        Digest(values.journal_head),
    ]


def _signatures(values: ActaValues, writing: Writing) -> list[Flowable]:
    roles = (_("Hall manager"), _("Table chief"), _("Inspection"))
    width = (kit.WIDTH - 40) / 3
    lines = Table(
        [["", "", "", "", ""], [roles[0], "", roles[1], "", roles[2]]],
        colWidths=[width, 20, width, 20, width],
        rowHeights=[46, 14],
        style=TableStyle(
            [
                kit.BASE,
                ("FONT", (0, 0), (-1, -1), kit.REGULAR, 8, 10),
                ("TEXTCOLOR", (0, 0), (-1, -1), kit.QUIET),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                *(("LINEABOVE", (n, 1), (n, 1), 0.7, kit.INK) for n in (0, 2, 4)),
            ]
        ),
    )
    made = _("Made on %(instant)s.") % {"instant": writing.instant(values.made_at)}
    return [*_numbered(7, _("Signatures")), kit.paragraph(made, kit.SMALL), lines]


def _numbered(number: int, title: str, *, room: float = 100) -> list[Flowable]:
    return kit.heading(f"{number}\N{EN SPACE}{title}", room=room)


def _currency(values: ActaValues) -> Paragraph:
    return kit.paragraph(_("Amounts in %(currency)s.") % {"currency": values.currency}, kit.NOTE)


def _right(text: str) -> Paragraph:
    return kit.paragraph(text, kit.SMALL_RIGHT)
