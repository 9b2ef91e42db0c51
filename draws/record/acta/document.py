"""The acta of a session as a PDF: what happened, game by game, with the lines to sign (R58-61).

Its last sections are the journal with its clock, and the checkpoint: whoever keeps the paper keeps a
signed head of the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import CondPageBreak, Flowable, Spacer

from bingo import money_and_dates
from bingo.money_and_dates import Whole, Writing
from bingo.pdf import kit, pdfa
from bingo.pdf import pages as pdf_pages
from bingo.pdf.kit import Digest
from bingo.pdf.tagging import TaggedFigure, TaggedTable
from bingo.rules import checkpoints_and_clock
from draws.receipts import documents
from draws.receipts.documents import CheckpointValues
from draws.record.acta import game_section, labels, notes_section, sale_section, session_section
from draws.record.acta.labels import along, also_in, both, languages_with_words
from draws.record.acta.session_values import AnomalyValues, ClockReadingValues, CustodyValues
from draws.record.acta.tables import Column, ledger, unruled
from draws.record.acta.values import ActaValues, data, data_schema
from halls import training
from halls.journal import clock

HEADING = 36  # points for the heading of a section
GAME = 170  # points for the heading of the games and the head of the first
NOTHING_KEPT = CustodyValues(None, (), (), ())


def draw(values: ActaValues, *, checkpoint: CheckpointValues | None = None) -> bytes:
    """The acta in the language that is active, carrying its own values as acta.json.

    `checkpoint` is the journal's last, where one was signed. The same values in the same language
    give the same bytes. The PDF is not yet sealed.
    """
    writing = labels.writing(values)
    title = _("Acta of session %(number)s") % {"number": values.session}
    sheet = pdf_pages.Sheet(
        title=f"{title} · {values.hall}",
        author=values.hall,
        subject=values.rulebook,
        language=values.language,
        head=f"{values.hall} · {title} · {writing.day(values.opened_at)}",
        foot=" · ".join(
            filter(None, (values.licence, values.rulebook, _template(values, writing)))
        ),
        at=values.closed_at,
        marks=training.marks(
            [values.language, *languages_with_words(values.languages)], training=values.training
        ),
    )
    content, described = pdfa.canonical(data(values)), _("The data of this acta")
    start = partial(
        pdfa.embed, content=content, description=described, at=values.closed_at,
        schema=data_schema(),
    )  # fmt: skip
    with also_in(values.languages):
        story = _story(values, writing, checkpoint)
    return pdf_pages.compose(story, sheet, start=start)


def _story(
    values: ActaValues, writing: Writing, checkpoint: CheckpointValues | None
) -> list[Flowable]:
    return [
        *session_section.masthead(values, writing),
        *_section(1, "session"),
        *session_section.session_facts(values, writing),
        *_section(2, "staff"),
        *session_section.staff_section(values.staff, writing),
        *session_section.admission_section(values),
        *_section(3, "equipment"),
        *notes_section.equipment_section(values, writing),
        *_games(values, writing),
        *_section(5, "summary", currency=values.currency),
        *session_section.totals_summary(values.games, writing),
        *_section(6, "jackpot", currency=values.currency),
        *sale_section.jackpot_section(values.jackpot, writing),
        *_section(7, "notes", room=130),
        *notes_section.notes_section(values, writing),
        *_section(8, "tills", currency=values.currency),
        *session_section.tills_section(values.tills, writing),
        *sale_section.unclaimed_section(values, writing),
        *_custody(values, writing),
        # A sheet that holds nothing but signatures could be put under any other acta.
        *_unparted(
            [
                *_section(10, "journal"),
                *journal_section(values, writing),
                *checkpoint_section(checkpoint),
                *_section(11, "signatures"),
                *_signatures(values, writing),
            ]
        ),
    ]


def _section(number: int, name: str, *, room: float = 100, currency: str = "") -> list[Flowable]:
    """Return the heading of a section, with the currency of its amounts where it has any."""
    story = labels.heading_section(number, name, room=room)
    if not currency:
        return story
    return [*story, kit.paragraph(along("Amounts in %(currency)s.", currency=currency), kit.NOTE)]


def _custody(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The cards kept may be one tall row, which the section's heading is not parted from."""
    body = notes_section.custody_section(values, values.custody or NOTHING_KEPT, writing)
    first = body[0].height if isinstance(body[0], CondPageBreak) else 0
    return [*_section(9, "custody", room=HEADING + first), *body]


def _unparted(flowables: list[Flowable]) -> list[Flowable]:
    """Return them on one page; unlike KeepTogether this counts the space before the first."""
    matter = [each for each in flowables if not isinstance(each, CondPageBreak)]
    room = sum(
        each.getSpaceBefore() + each.wrap(kit.WIDTH, kit.PAGE[1])[1] + each.getSpaceAfter()
        for each in matter
    )
    return [CondPageBreak(room), *matter]


def _games(values: ActaValues, writing: Writing) -> list[Flowable]:
    story = _section(4, "games", room=GAME, currency=values.currency)
    for game in values.games:
        story += game_section.game_section(game, values, writing)
    if not values.games:
        story.append(kit.paragraph(along("No game was held.")))
    return story


def _template(values: ActaValues, writing: Writing) -> str:
    """Name the form that the acta is drawn up in (R59)."""
    if values.template is None:
        return ""
    told = {"version": values.template.version, "day": writing.day(values.template.dated)}
    return _("form %(version)s of %(day)s") % told


def _signatures(values: ActaValues, writing: Writing) -> list[Flowable]:
    roles = (both("Hall manager"), both("Table chief"), both("Inspection"))
    width = (kit.WIDTH - 40) / 3
    lines = TaggedTable(
        [["", "", "", "", ""], [roles[0], "", roles[1], "", roles[2]]],
        colWidths=[width, 20, width, 20, width],
        rowHeights=[46, None],
        style=unruled(
            ("FONT", (0, 0), (-1, -1), kit.REGULAR, 8, 10),
            ("TEXTCOLOR", (0, 0), (-1, -1), kit.QUIET),
            *(("LINEABOVE", (n, 1), (n, 1), 0.7, kit.INK) for n in (0, 2, 4)),
            left=0,
        ),
    )
    made = along("Made on %(instant)s.", instant=_made(values))
    return [kit.paragraph(made, kit.SMALL), lines]


def _made(values: ActaValues) -> str:
    """Write when the acta was made, which may be of another offset than its session."""
    at = (values.opened_at, values.closed_at, values.made_at)
    return money_and_dates.writing_of(values.language, values.currency, at).instant(values.made_at)


MOST = 20  # anomalies listed, so that the signatures stay on this sheet; acta.json has them all


def journal_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The head in signs that two people can compare, and where the hours come from."""
    told = both(
        "This acta was made from entries %(first)s to %(last)s of the hall's journal. The digest "
        "below is that of the last of them; each digest covers the one before it, so that no "
        "earlier entry can change without changing this one. The same data is attached to this "
        "file as %(file)s, and the electronic seal allows no later change.",
        first=values.journal_first,
        last=values.journal_last,
        file=pdfa.ATTACHMENT_NAME,
    )
    return [
        *kit.sides(told),
        Spacer(0, 5),
        kit.labelled(along("Digest (SHA-256) of entry %(number)s", number=values.journal_last)),
        Spacer(0, 2),
        Digest(values.journal_head),
        *_clock(values, writing),
    ]


def _clock(values: ActaValues, writing: Writing) -> list[Flowable]:
    if values.clock is None:
        return []
    source = _(
        "The hours are those of the clock of the hall's server, in %(zone)s; no entry has an "
        "earlier hour than the one before it."
    ) % {"zone": labels.zones(values, writing)}
    seen = _went_back(values.clock.anomalies, writing)
    return [
        Spacer(0, 5),
        kit.paragraph(f"{source} {seen}", kit.SMALL),
        *_readings(values.clock.readings, writing),
    ]


def _readings(readings: Sequence[ClockReadingValues], writing: Writing) -> list[Flowable]:
    """List what the system said of its clock, the first time and whenever it changed."""
    if not readings:
        return []
    at = [writing.hour(one.at) for one in readings[:MOST]]
    said: list[object] = [
        kit.paragraph(
            clock.describe_clock(synchronised=one.synchronised, error=one.error, by=one.step),
            kit.CELL,
        )
        for one in readings[:MOST]
    ]
    if left := len(readings[MOST:]):
        at.append("")
        said.append(_further(left))
    table = ledger(
        Column(both("At"), at, kit.hour_width(writing), text=False),
        Column(both("State of the clock"), said, text=False),
    )
    return [Spacer(0, 5), table]


def _further(n: int) -> str:
    return ngettext("and %(n)s more time", "and %(n)s more times", n) % {"n": Whole(n)}


def _went_back(anomalies: Sequence[AnomalyValues], writing: Writing) -> str:
    if not anomalies:
        return along("The clock was not seen to go back.")
    told = [
        _("at %(hour)s it stood at %(clock)s")
        % {"hour": writing.hour(one.at), "clock": writing.hour(one.clock)}
        for one in anomalies[:MOST]
    ]
    if (left := len(anomalies) - MOST) > 0:
        told.append(_further(left))
    return _("The clock went back: %(times)s.") % {"times": "; ".join(told)}


SIDE = 104.0  # points: squares of half a millimetre for the longest note but that of a new key
GAP = 14.0


def checkpoint_section(values: CheckpointValues | None) -> list[Flowable]:
    """Print the checkpoint, its code beside the words; nothing where none was signed."""
    if values is None:
        return []
    told = both(
        "The code holds the head of the journal at this entry, signed apart from this acta. Kept "
        "elsewhere, it shows whether the journal was changed afterwards: the inspector's page "
        "Checkpoints and the verifier compare it."
    )
    head = " · ".join(filter(None, [documents.entry_words(values), documents.place_words(values)]))
    named = both("Checkpoint of the journal")
    said = [
        kit.labelled(named),
        kit.paragraph(head, kit.VALUE),
        kit.paragraph(checkpoints_and_clock.short(values.digest), kit.VALUE),
        Spacer(0, 4),
        *kit.sides(told),
    ]
    beside = TaggedTable(
        [[TaggedFigure(kit.QrCode(values.note, SIDE), named), said]],
        colWidths=[SIDE + GAP, kit.WIDTH - SIDE - GAP],
        style=unruled(("VALIGN", (0, 0), (-1, -1), "MIDDLE"), left=0, right=GAP, top=0, bottom=0),
    )
    return [Spacer(0, 4), beside]
