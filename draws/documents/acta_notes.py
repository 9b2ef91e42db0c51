"""What the acta mentions besides figures: voids, complaints, ball sets, faults (R61 i to m)."""

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Paragraph, Table

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.acta_values import ActaValues, GameValues, NoteKind, NoteValues
from draws.documents.acta_words import letter


def section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Every matter the law names, in its order; one without entries says so."""
    voided = [game for game in values.games if game.voided is not None]
    story = kit.headed(
        _("Void games and reasons"), letter(values.article, "i"), _voided(voided, writing)
    )
    for kind, title, mark in _matters():
        entries = [note for note in values.notes if _heading_of(note) == kind]
        reference = letter(values.article, mark) if mark else ""
        story += kit.headed(title, reference, _entries(entries, writing))
    if values.witnessed:
        story += kit.headed(_("Done before a second person"), "", _witnessed(values, writing))
    return story


def _heading_of(note: NoteValues) -> str:
    # A kind without a heading of its own is still printed: an acta loses no note.
    named = [kind for kind, _title, _mark in _matters()]
    return note.kind if note.kind in named else "other"


def _matters() -> tuple[tuple[NoteKind, str, str], ...]:
    return (
        ("complaint", _("Complaints of players and decisions"), "j"),
        ("ball_set", _("Replacement of ball sets"), "k"),
        ("breakdown", _("Breakdowns of gaming equipment"), "l"),
        ("occurrence", _("Occurrences that may be an offence"), "m"),
        ("other", _("Other notes"), ""),
    )


def _voided(games: list[GameValues], writing: Writing) -> Paragraph | Table:
    if not games:
        return _nothing()
    rows: list[list[object]] = [
        [_("Game"), _("Reason"), _("Refunded"), _("Ended")],
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


def _entries(notes: list[NoteValues], writing: Writing) -> Paragraph | Table:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [_("At"), _("Game"), _("Note"), _("Written by")],
        *(
            [
                writing.hour(note.at),
                "\N{EN DASH}" if note.game is None else note.game,
                kit.paragraph(note.text, kit.CELL),
                kit.paragraph(note.by, kit.CELL),
            ]
            for note in notes
        ),
    ]
    return kit.ledger(rows, [48, 40, kit.WIDTH - 218, 130])


def _witnessed(values: ActaValues, writing: Writing) -> Table:
    rows: list[list[object]] = [
        [_("At"), _("Game"), _("What was done"), _("By"), _("Second person")],
        *(
            [
                writing.hour(done.at),
                "\N{EN DASH}" if done.game is None else done.game,
                kit.paragraph(done.act, kit.CELL),
                kit.paragraph(done.by, kit.CELL),
                kit.paragraph(done.witness, kit.CELL),
            ]
            for done in values.witnessed
        ),
    ]
    return kit.ledger(rows, [48, 40, kit.WIDTH - 298, 105, 105])


def _nothing() -> Paragraph:
    return kit.paragraph(_("Nothing to record."), kit.SMALL)
