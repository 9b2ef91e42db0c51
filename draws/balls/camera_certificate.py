"""The certificate of a camera as a PDF: what it was measured on, what it reads, a line to sign.

Shares are per mille; hours are the hall's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable, Image, KeepTogether, Spacer, TableStyle

from bingo import money_and_dates
from bingo.money_and_dates import Whole, Writing
from bingo.pdf import kit
from bingo.pdf import pages as pdf_pages
from bingo.pdf.kit import Digest
from bingo.pdf.pages import OfHall
from bingo.pdf.tagging import TaggedFigure, TaggedTable
from draws.balls import labels
from draws.balls.vision.enrolment import BUILT_IN, Measured, NumberReadings
from halls import training


@dataclass(frozen=True, slots=True)
class CameraCertificate(OfHall):
    """A camera measured on a ball set; `pictures` holds a JPEG of each number.

    `settings` and `model` are the SHA-256 of the camera's settings and of the network, `gallery`
    that of the list of all pictures. `alike` counts the pictures that the comparison with the
    others read right, of `compared`, and `alike_wrong` those it read as another with certainty.
    """

    camera: str
    address: str
    ball_set: str
    format: int
    zeros: bool
    maker: str
    by: str
    begun_at: datetime
    at: datetime
    settings: str
    model: str
    gallery: str
    measured: Measured
    compared: int
    alike: int
    alike_wrong: int
    pictures: dict[int, bytes]


ACROSS = 10  # balls in a row of the table
THUMBNAIL = 34.0  # points
FEW = 12  # pairs told


def certificate(values: CameraCertificate) -> bytes:
    """Return a PDF on A4 in the hall's language; the same values give the same bytes."""
    writing = money_and_dates.writing_of(
        values.language, values.currency, money_and_dates.instants_of(values)
    )
    with translation.override(values.language):
        marks = training.marks([values.language], training=values.training)
        sheet = pdf_pages.sheet_of(values, _title(values), day=values.at, at=values.at, marks=marks)
        return pdf_pages.compose(_story(values, writing), sheet, start=pdf_pages.no_data)


def _title(values: CameraCertificate) -> str:
    return _("Certificate of camera %(camera)s") % {"camera": values.camera}


def _story(values: CameraCertificate, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *_numbered(1, _("What was found")),
        _figures(values, writing),
        Spacer(0, 6),
        *[kit.paragraph(line, kit.SMALL) for line in _findings(values, writing)],
        *_numbered(2, _("Numbers easily taken for one another")),
        _pairs(values),
        *_numbered(3, _("Balls")),
        kit.paragraph(_legend(), kit.NOTE),
        _balls(values),
        KeepTogether([Spacer(0, 1), *_proved(values), *_signatures(values)]),
    ]


def _opening(values: CameraCertificate, writing: Writing) -> list[Flowable]:
    facts = (
        (_("Camera"), values.camera),
        (_("Address"), values.address),
        (_("Ball set"), values.ball_set),
        (_("Balls"), f"{values.format} · {values.maker}".rstrip(" ·")),
        (_("Shown from"), writing.instant(values.begun_at)),
        (_("Measured"), writing.instant(values.at)),
    )
    return [
        kit.paragraph(values.hall, kit.VALUE),
        kit.paragraph(f"{values.licence} · {values.rulebook}", kit.SMALL),
        Spacer(0, 12),
        kit.paragraph(_title(values), kit.TITLE),
        Spacer(0, 8),
        kit.facts(facts, (0.5, 0.5)),
    ]


def _figures(values: CameraCertificate, writing: Writing) -> TaggedTable:
    measured = values.measured
    shown = (
        (_("Balls shown"), len(measured.tallies)),
        (_("Pictures"), measured.total("pictures")),
        (_("Read right"), measured.total("right")),
        (_("Put to the caller"), measured.total("refused")),
        (_("Read wrong"), measured.total("wrong")),
    )
    told = [(name, writing.whole(number)) for name, number in shown]
    return kit.facts(told, [1 / len(told)] * len(told))


def _findings(values: CameraCertificate, writing: Writing) -> list[str]:
    measured = values.measured
    told = [
        threshold_words(measured.threshold),
        zeros_words(measured.zeros, registered=values.zeros),
    ]
    if measured.threshold:
        told.append(
            _(
                "At that sureness %(announced)s of %(pictures)s pictures are announced without the caller."
            )
            % {
                "announced": writing.whole(measured.announced),
                "pictures": writing.whole(measured.total("pictures")),
            }
        )
    if measured.marked or measured.unmarked:
        told.append(_marks(measured.marked, measured.unmarked))
    if values.compared:
        told.append(_second(values, writing))
    return told


def _second(values: CameraCertificate, writing: Writing) -> str:
    return _(
        "A second reader, which only compares pictures, says the right number of %(alike)s of "
        "%(compared)s pictures, and clearly a wrong one of %(wrong)s."
    ) % {
        "alike": writing.whole(values.alike),
        "compared": writing.whole(values.compared),
        "wrong": writing.whole(values.alike_wrong),
    }


def threshold_words(threshold: int) -> str:
    """Say from when on a ball may be announced by itself; per mille, 0 never."""
    if not threshold:
        return _("No ball of this set may be announced by itself before this camera.")
    told = _("A ball may be announced by itself from a sureness of %(sure)s on.")
    raised = _("It was raised above the usual one, for balls were read wrong below it.")
    return " ".join(
        [told % {"sure": labels.draw_log_sure(threshold)}, *([raised] * (threshold > BUILT_IN))]
    )


def zeros_words(zeros: bool | None, *, registered: bool) -> str:
    """Say how the set prints its single figures, and what to do where it is registered otherwise."""
    if zeros is None:
        return _("Whether the set prints 6 or 06 could not be told.")
    told = _("The set prints 06 for 6.") if zeros else _("The set prints 6 as 6.")
    if zeros == registered:
        return told
    amiss = _(
        "It is registered otherwise, and games read it so: register it anew, with a letter after its serial."
    )
    return f"{told} {amiss}"


def _marks(marked: tuple[int, ...], unmarked: tuple[int, ...]) -> str:
    if not unmarked:
        return _("The mark that tells 6 from 9 is seen on every ball that needs it.")
    told = ", ".join(str(number) for number in unmarked)
    return _(
        "The mark that tells 6 from 9 is not seen on: %(numbers)s. They are put to the caller."
    ) % {"numbers": told}


def _pairs(values: CameraCertificate) -> Flowable:
    found = values.measured.pairs[:FEW]
    if not found:
        return kit.paragraph(_("None was."), kit.SMALL)
    told = [
        ngettext(
            "%(number)s as %(other)s: %(times)s picture",
            "%(number)s as %(other)s: %(times)s pictures",
            pair.times,
        )
        % {"number": pair.number, "other": pair.other, "times": Whole(pair.times)}
        for pair in found
    ]
    return kit.paragraph(" · ".join(told), kit.SMALL)


def _legend() -> str:
    return _(
        "Under each ball: pictures read right, put to the caller, read wrong; and the least sureness "
        "of those read right."
    )


def _balls(values: CameraCertificate) -> TaggedTable:
    cells = [_ball(tally, values.pictures.get(tally.number)) for tally in values.measured.tallies]
    rows = [cells[start : start + ACROSS] for start in range(0, len(cells), ACROSS)]
    rows[-1] += [[]] * (ACROSS - len(rows[-1]))
    places = [(at % ACROSS, at // ACROSS) for at in range(len(cells))]
    wrong = [
        ("BACKGROUND", place, place, kit.WASH)
        for place, tally in zip(places, values.measured.tallies, strict=True)
        if tally.wrong
    ]
    return TaggedTable(
        rows,
        colWidths=[kit.WIDTH / ACROSS] * ACROSS,
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 2),
                ("RIGHTPADDING", (0, 0), (-1, -1), 2),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                *wrong,
            ]
        ),
    )


def _ball(tally: NumberReadings, jpeg: bytes | None) -> list[Flowable]:
    picture: Flowable = Spacer(THUMBNAIL, THUMBNAIL)
    if jpeg is not None:
        image = Image(BytesIO(jpeg), THUMBNAIL, THUMBNAIL, kind="proportional", hAlign="LEFT")
        picture = TaggedFigure(image, str(tally.number))
    counts = f"{tally.right} · {tally.refused} · {tally.wrong}"
    return [
        kit.paragraph(str(tally.number), kit.VALUE),
        picture,
        kit.labelled(counts),
        kit.labelled(labels.draw_log_sure(tally.least) if tally.right else "\N{EN DASH}"),
    ]


def _proved(values: CameraCertificate) -> list[Flowable]:
    told = _(
        "The digest of this sheet stands in the hall's journal, in the entry of its enrolment. It "
        "holds for these settings of the camera, this network and this set: when one of them "
        "changes, the balls are enrolled anew."
    )
    parts: list[Flowable] = [*_numbered(4, _("What it holds for")), kit.paragraph(told, kit.SMALL)]
    for name, digest in (
        (_("Settings of the camera (SHA-256)"), values.settings),
        (_("Network that reads (SHA-256)"), values.model),
        (_("List of all pictures (SHA-256)"), values.gallery),
    ):
        parts += [Spacer(0, 4), kit.labelled(name), Digest(digest)]
    return parts


def _signatures(values: CameraCertificate) -> list[Flowable]:
    shown = _("Shown by %(name)s") % {"name": values.by}
    lines = kit.signatures(shown, _("Official or engineer"))
    return [*_numbered(5, _("Signatures"), room=0), lines]


def _numbered(number: int, title: str, *, room: float = 100) -> list[Flowable]:
    return kit.heading(f"{number}\N{EN SPACE}{title}", room=room)
