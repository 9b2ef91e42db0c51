"""What the acta mentions besides figures: voids, complaints, ball sets, faults (R61 i to m)."""

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph, Table
from bingo.writing import Writing
from draws.documents import acta_headings, acta_hours
from draws.documents.acta_values import ActaValues, GameValues, NoteKind, NoteValues
from draws.documents.acta_words import NONE, letter
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

PERSON = 74  # points of a column with a name

# In the order of the law, with its letters.
MATTERS: tuple[tuple[NoteKind, str], ...] = (
    ("complaint", "j"), ("ball_set", "k"), ("breakdown", "l"), ("occurrence", "m"), ("other", ""),
)  # fmt: skip


def section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Every matter the law names, in its order; one without entries says so."""
    tongues = values.languages
    voided = [game for game in values.games if game.voided is not None]
    story = acta_headings.part(
        "voided", letter(values.article, "i"), tongues, _voided(voided, writing)
    )
    for kind, mark in MATTERS:
        entries = [note for note in values.notes if _heading_of(note) == kind]
        listed = _complaints if kind == "complaint" else _entries
        reference = letter(values.article, mark) if mark else ""
        story += acta_headings.part(kind, reference, tongues, listed(entries, writing))
    if values.witnessed:
        story += acta_headings.part("witnessed", "", tongues, _witnessed(values, writing))
    return story


def _heading_of(note: NoteValues) -> str:
    # A kind without a heading of its own is still printed: an acta loses no note.
    named = [kind for kind, _mark in MATTERS]
    return note.kind if note.kind in named else "other"


def _voided(games: list[GameValues], writing: Writing) -> Flowable:
    if not games:
        return _nothing()
    rows: list[list[object]] = [
        [
            _both("Game"),
            _both("Reason"),
            kit.labelled(_both("Refunded"), style=kit.LABEL_RIGHT),
            kit.labelled(_both("Jackpot accrual taken back"), style=kit.LABEL_RIGHT),
            kit.labelled(_both("Ended"), style=kit.LABEL_RIGHT),
        ],
        *(
            [
                game.number,
                kit.paragraph(game.voided or "", kit.CELL),
                writing.amount(game.refunded),
                writing.signed(-game.jackpot_reversed),
                writing.hour(game.ended_at) if game.ended_at else "",
            ]
            for game in games
        ),
    ]
    hours = max(60, acta_hours.width(writing))
    return kit.ledger(rows, [40, kit.WIDTH - 210 - hours, 80, 90, hours], right=(2, 3, 4))


def _complaints(notes: list[NoteValues], writing: Writing) -> Flowable:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("Game"),
            _both("Complaint"),
            _both("Decision"),
            _both("Decided by"),
            _both("Second person"),
        ],
        *(
            [
                writing.hour(note.at),
                NONE if note.game is None else note.game,
                _over(_complaint(note), _("written by %(name)s") % {"name": note.by}),
                kit.paragraph(note.decision or (_("none yet") if note.said else ""), kit.CELL),
                _decider(note, writing),
                kit.paragraph(note.witness or NONE, kit.CELL),
            ]
            for note in notes
        ),
    ]
    hours = acta_hours.width(writing)
    left = kit.WIDTH - hours - 34 - 2 * PERSON
    return kit.ledger(rows, [hours, 34, left * 0.54, left * 0.46, PERSON, PERSON])


def _complaint(note: NoteValues) -> str:
    """Return what was said with what it is about; of an acta without the parts the whole text."""
    if not note.said:
        return note.text
    about = []
    if note.number is not None:
        about.append(_("No. %(number)s") % {"number": note.number})
    if note.ball is not None:
        about.append(_("ball no. %(place)s") % {"place": note.ball})
    if note.card is not None:
        about.append(_("Card %(issue)s · %(card)s") % {"issue": note.issue, "card": note.card})
    return ": ".join(filter(None, (", ".join(about), note.said)))


def _decider(note: NoteValues, writing: Writing) -> Flowable:
    """Return who decided and when; of a note with its decision in it, whoever wrote both."""
    if note.decided_at is not None:
        return _over(note.decided_by, writing.hour(note.decided_at))
    noted_with_it = note.number is None and note.decision
    return kit.paragraph(note.by if noted_with_it else NONE, kit.CELL)


def _over(text: str, small: str) -> Flowable:
    """Set a text over small print in one cell, which can break between sheets."""
    style = kit.LABEL
    print_ = f'<font size="{style.fontSize}" color="#5c6670">{kit.escaped(small)}</font>'
    return Paragraph(f"{kit.escaped(text)}<br/>{print_}", kit.CELL)


def _entries(notes: list[NoteValues], writing: Writing) -> Flowable:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("Note"), _both("Written by")],
        *(
            [
                writing.hour(note.at),
                NONE if note.game is None else note.game,
                kit.paragraph(note.text, kit.CELL),
                kit.paragraph(note.by, kit.CELL),
            ]
            for note in notes
        ),
    ]
    hours = acta_hours.width(writing)
    return kit.ledger(rows, [hours, 40, kit.WIDTH - hours - 170, 130])


def _witnessed(values: ActaValues, writing: Writing) -> Table:
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("What was done"), _both("By"), _both("Second person")],
        *(
            [
                writing.hour(done.at),
                NONE if done.game is None else done.game,
                kit.paragraph(done.act, kit.CELL),
                kit.paragraph(done.by, kit.CELL),
                kit.paragraph(done.witness, kit.CELL),
            ]
            for done in values.witnessed
        ),
    ]
    hours = acta_hours.width(writing)
    return kit.ledger(rows, [hours, 40, kit.WIDTH - hours - 250, 105, 105])


def _nothing() -> Flowable:
    return kit.paragraph(_along("Nothing to record."), kit.SMALL)
