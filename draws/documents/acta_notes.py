"""What the acta mentions besides figures: voids, complaints, ball sets, faults (R61 i to m)."""

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Paragraph, Table

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import acta_headings
from draws.documents.acta_values import ActaValues, GameValues, NoteKind, NoteValues
from draws.documents.acta_words import NONE, letter
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

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


def _voided(games: list[GameValues], writing: Writing) -> Paragraph | Table:
    if not games:
        return _nothing()
    rows: list[list[object]] = [
        [_both("Game"), _both("Reason"), _both("Refunded"), _both("Ended")],
        *(
            [
                game.number,
                kit.paragraph(game.voided or "", kit.CELL),
                writing.amount(game.refunded),
                writing.hour(game.ended_at) if game.ended_at else "",
            ]
            for game in games
        ),
    ]
    return kit.ledger(rows, [40, kit.WIDTH - 190, 90, 60], right=(2, 3))


def _complaints(notes: list[NoteValues], writing: Writing) -> Paragraph | Table:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("Complaint"), _both("Decision"), _both("Written by")],
        *(
            [
                writing.hour(note.at),
                NONE if note.game is None else note.game,
                kit.paragraph(_complaint(note), kit.CELL),
                kit.paragraph(note.decision or (_("none yet") if note.said else ""), kit.CELL),
                kit.paragraph(note.by, kit.CELL),
            ]
            for note in notes
        ),
    ]
    left = kit.WIDTH - 48 - 40 - 110
    return kit.ledger(rows, [48, 40, left * 0.56, left * 0.44, 110])


def _complaint(note: NoteValues) -> str:
    """Give what was said, with its card; of an acta without the parts the whole text."""
    if not note.said or note.card is None:
        return note.said or note.text
    about = _("Card %(issue)s · %(card)s") % {"issue": note.issue, "card": note.card}
    return f"{about}: {note.said}"


def _entries(notes: list[NoteValues], writing: Writing) -> Paragraph | Table:
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
    return kit.ledger(rows, [48, 40, kit.WIDTH - 218, 130])


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
    return kit.ledger(rows, [48, 40, kit.WIDTH - 298, 105, 105])


def _nothing() -> Paragraph:
    return kit.paragraph(_along("Nothing to record."), kit.SMALL)
