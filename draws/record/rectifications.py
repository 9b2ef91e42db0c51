"""Rectify a sealed acta, and record the regulator's remarks and the hall's answers (R58, R59, R61).

A rectification is a new acta, linked to the sealed one, made before a second person (R58); its PDF
says what was wrong, why, who says so, and which acta it corrects. Hours are the hall's own. Also
which acta of a session is the last, and which remarks wait for an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, KeepTogether, Spacer

from bingo import money_and_dates, schema
from bingo.celery_app import later
from bingo.money_and_dates import Writing
from bingo.pdf import kit, pdfa
from bingo.pdf import pages as pdf_pages
from bingo.pdf.pages import OfHall
from bingo.rules import actas_after_sealing
from bingo.rules.actas_after_sealing import RECTIFIED
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.models import Acta, Rectification, RectifiedActa
from draws.record.acta.game_queries import name_of
from halls import second_person, training
from halls.journal import queries as journal_queries
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Session
from halls.models.journal import OF_AN_ACTA


def remarks_of(session: Session) -> list[JournalEntry]:
    """Return all that was said of a session's acta, in order."""
    found = JournalEntry.objects.filter(session=session, kind__in=OF_AN_ACTA)
    return list(found.select_related("by", "hall").order_by("number"))


def unanswered(hall: Hall) -> list[JournalEntry]:
    """Return the remarks that nobody of the hall has answered yet, the oldest first."""
    of_hall = JournalEntry.objects.filter(hall=hall)
    remarks = of_hall.filter(kind="acta_remarked").select_related("by", "hall", "session")
    found = list(remarks.order_by("number"))
    if not found:
        return []
    answers = of_hall.filter(kind="remark_answered").values_list("data__remark", flat=True)
    answered = set(answers)
    return [remark for remark in found if remark.number not in answered]


@dataclass(frozen=True, slots=True)
class RectificationValues(OfHall):
    """The n-th rectification of a session's acta; `rectifies` is the one before, 0 the acta itself."""

    session: int
    opened_at: datetime
    number: int
    rectifies: int
    rectifies_digest: str
    rectifies_sealed_at: datetime
    reason: str
    what: str
    by: str
    witness: str
    at: datetime
    journal_last: int
    journal_head: str
    made_at: datetime


def data(values: RectificationValues) -> dict[str, Any]:
    """Return the values for programs; `rectification` is the version of this layout."""
    told = schema.to_data(values)
    if not values.training:
        del told["training"]
    return {"rectification": 1, **told}


def last(session: Session) -> tuple[int, str | None]:
    """Return the number of a session's last acta, 0 for the first, and its SHA-256 once it is sealed."""
    newest = session.rectifications.order_by("-number").first()
    if newest is None:
        sealed = Acta.objects.filter(session=session)
        return 0, sealed.values_list("digest", flat=True).first()
    after = RectifiedActa.objects.filter(rectification=newest)
    return newest.number, after.values_list("digest", flat=True).first()


def files(session: Session) -> list[tuple[int, str, datetime]]:
    """Return a session's sealed actas in order: number, 0 for the first, SHA-256, and when sealed."""
    first = Acta.objects.filter(session=session).values_list("digest", "sealed_at")
    after = RectifiedActa.objects.filter(rectification__session=session)
    named = ("rectification__number", "digest", "sealed_at")
    return [(0, *one) for one in first] + list(after.order_by(named[0]).values_list(*named))


def of(session: Session) -> QuerySet[Rectification]:
    """Return a session's rectifications in order, with their actas but for the files."""
    found = session.rectifications.select_related("acta", "entry__by", "session__hall")
    return found.defer("acta__pdf").order_by("number")


def values(rectification: Rectification, *, made_at: datetime) -> RectificationValues:
    """Return what the acta of a rectification says, hours in the hall's time zone."""
    session, entry = rectification.session, rectification.entry
    hall = session.hall
    zone = ZoneInfo(hall.time_zone)
    return RectificationValues(
        **hall.letterhead,
        session=session.number,
        opened_at=session.opened_at.astimezone(zone),
        number=rectification.number,
        rectifies=rectification.number - 1,
        rectifies_digest=rectification.rectifies,
        rectifies_sealed_at=_sealed_at(rectification).astimezone(zone),
        reason=rectification.reason,
        what=rectification.what,
        by=name_of(entry),
        witness=journal_queries.second_persons(hall, [entry])(entry),
        at=rectification.at.astimezone(zone),
        journal_last=entry.number,
        journal_head=entry.digest,
        made_at=made_at.astimezone(zone),
    )


def _sealed_at(rectification: Rectification) -> datetime:
    session, before = rectification.session, rectification.number - 1
    if not before:
        return Acta.objects.defer("pdf").get(session=session).sealed_at
    named = {"rectification__session": session, "rectification__number": before}
    return RectifiedActa.objects.defer("pdf").get(**named).sealed_at


@transaction.atomic
def rectify(
    *, session: Session, reason: str, what: str, witness: Person | None, **who: Unpack[Who]
) -> Rectification:
    """Say what is wrong in the last sealed acta of a session, and why; its own acta is sealed after.

    What was sealed stands for ever, so that two persons always say that it is wrong. Raises
    Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, or what `bingo.rules.actas_after_sealing.rectify` refuses.
    """
    by = who["by"]
    asked = {"session": session.number, "reason": reason.strip(), "what": what.strip()}
    hall, done = begin_command(session.hall_id, RECTIFIED, inputs=asked, **who)
    if done:
        return Rectification.objects.get(entry=done)
    second = second_person.witness_name(witness, by=by, kind=RECTIFIED, at=who["at"])
    if second is None:
        raise Refusal("second_person_needed", command=RECTIFIED)
    before, digest = last(session)
    data = actas_after_sealing.rectify(
        session=session.number, before=before, digest=digest, reason=reason, what=what
    )
    fact = Fact(RECTIFIED, data | {"witness": second})
    entry = journal_services.append(hall, fact, session=session, **who)
    made = Rectification.objects.create(
        session=session,
        number=data["rectification"],
        previous=before or None,
        rectifies=data["digest"],
        reason=data["reason"],
        what=data["what"],
        at=entry.at,
        entry=entry,
    )
    later("draws.seal_rectification", rectification_id=made.pk)
    return made


ACKNOWLEDGED, REMARKED, ANSWERED = "acta_acknowledged", "acta_remarked", "remark_answered"


def acknowledge(*, session: Session, acta: str, **who: Unpack[Who]) -> JournalEntry:
    """Acknowledge a session's acta or rectification, the sealed file with the digest `acta`.

    Raises Refusal: not_allowed, key_reused, acta_not_sealed, acta_replaced,
    acta_acknowledged_already.
    """

    def decide(digests: Sequence[str]) -> dict[str, Any]:
        if acta not in digests:
            raise Refusal("acta_replaced")
        known = {one.data["acta"] for one in remarks_of(session) if one.kind == ACKNOWLEDGED}
        return actas_after_sealing.acknowledge(session=session.number, acta=acta, known=known)

    return _record(ACKNOWLEDGED, decide, session, {"acta": acta}, **who)


def remark(
    *, session: Session, text: str, acta: str | None = None, **who: Unpack[Who]
) -> JournalEntry:
    """Remark on a session's newest sealed acta, which may be a rectification of the first.

    `acta` is the digest of the newest that was shown, where one was. Raises Refusal: not_allowed,
    key_reused, acta_not_sealed, acta_replaced, text_missing, bad_text.
    """

    def decide(digests: Sequence[str]) -> dict[str, Any]:
        if acta not in (None, digests[-1]):
            raise Refusal("acta_replaced")
        return actas_after_sealing.remark(session=session.number, acta=digests[-1], text=text)

    return _record(REMARKED, decide, session, {"text": text.strip()}, **who)


def answer(*, session: Session, remark: int, text: str, **who: Unpack[Who]) -> JournalEntry:
    """Answer a remark, which is the entry of that number.

    Raises Refusal: not_allowed, key_reused, acta_not_sealed, unknown_remark,
    remark_answered_already, text_missing, bad_text.
    """

    def decide(_digests: Sequence[str]) -> dict[str, Any]:
        said = remarks_of(session)
        return actas_after_sealing.answer(
            session=session.number,
            remark=remark,
            text=text,
            remarks={one.number for one in said if one.kind == REMARKED},
            answered={one.data["remark"] for one in said if one.kind == ANSWERED},
        )

    asked = {"remark": remark, "text": text.strip()}
    return _record(ANSWERED, decide, session, asked, **who)


@transaction.atomic
def _record(
    kind: str,
    decide: Callable[[Sequence[str]], dict[str, Any]],
    session: Session,
    asked: dict[str, Any],
    **who: Unpack[Who],
) -> JournalEntry:
    inputs = asked | {"session": session.number}
    hall, done = begin_command(session.hall_id, kind, inputs=inputs, **who)
    if done:
        return done
    digests = [digest for _number, digest, _at in files(session)]
    if not digests:
        raise Refusal("acta_not_sealed", session=session.number)
    return journal_services.append(hall, Fact(kind, decide(digests)), session=session, **who)


def draw_rectification(values: RectificationValues) -> bytes:
    """Return the PDF in the language that is active, carrying its values as acta.json; not yet sealed.

    The same values in the same language give the same bytes.
    """
    writing = money_and_dates.writing_of(
        values.language, values.currency, money_and_dates.instants_of(values)
    )
    marks = training.marks([values.language], training=values.training)
    named = rectification_title(values)
    sheet = pdf_pages.sheet_of(values, named, day=values.at, at=values.at, marks=marks)
    content, described = pdfa.canonical(data(values)), _("The data of this acta")
    start = partial(pdfa.embed, content=content, description=described, at=values.at)
    return pdf_pages.compose(_story(values, writing), sheet, start=start)


def rectification_title(values: RectificationValues) -> str:
    """Return its name: which rectification, of which session's acta."""
    named = {"number": values.number, "session": values.session}
    return _("Rectification %(number)s of the acta of session %(session)s") % named


def rectification_name(session: int, number: int) -> str:
    """Name an acta by its session, and its number where it rectifies another."""
    return f"{session}/{number}" if number else str(session)


def _story(values: RectificationValues, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *kit.heading(_("The acta that is rectified")),
        *_rectified(values, writing),
        *kit.heading(_("Reason")),
        *_text(values.reason),
        *kit.heading(_("What is rectified")),
        *_text(values.what),
        # Signatures on a sheet of their own could be put under any other acta.
        KeepTogether([Spacer(0, 1), *_journal(values), *_signatures(values, writing)]),
    ]


def _opening(values: RectificationValues, writing: Writing) -> list[Flowable]:
    told = _("The acta named here stays as it was sealed. It is to be read together with this one.")
    facts = (
        (_("Session opened"), writing.instant(values.opened_at)),
        (_("Rectified"), writing.instant(values.at)),
        (_("Time zone"), money_and_dates.offsets_of(money_and_dates.instants_of(values), writing)),
        (_("Hall manager"), values.by),
        (_("Second person"), values.witness),
        ("", ""),
    )
    return pdf_pages.opening(values, rectification_title(values), told, facts, (0.4, 0.35, 0.25))


def _rectified(values: RectificationValues, writing: Writing) -> list[Flowable]:
    told = _("Acta %(number)s, sealed on %(instant)s.") % {
        "number": rectification_name(values.session, values.rectifies),
        "instant": writing.instant(values.rectifies_sealed_at),
    }
    return [
        kit.paragraph(told),
        *pdf_pages.digest(_("SHA-256 of its file"), values.rectifies_digest),
    ]


def _text(text: str) -> list[Flowable]:
    """Set each line of a text as a paragraph, so that a long one goes on over the page."""
    return [kit.paragraph(line) for line in text.splitlines() if line.strip()]


def _journal(values: RectificationValues) -> list[Flowable]:
    entry = pdf_pages.journal_entry(values.journal_last, values.journal_head)
    return [*kit.heading(_("Journal")), *entry]


def _signatures(values: RectificationValues, writing: Writing) -> list[Flowable]:
    lines = kit.signatures(
        f"{_('Hall manager')} · {values.by}",
        f"{_('Second person')} · {values.witness}",
        _("Inspection"),
        gap=20,
    )
    made = _("Made on %(instant)s.") % {"instant": writing.instant(values.made_at)}
    return [*kit.heading(_("Signatures"), room=0), kit.paragraph(made, kit.SMALL), lines]
