"""The record of cards destroyed or handed over as a PDF, with lines to sign (R51, R52).

It names every card; amounts are minor units. Also what journal entries about cards after their game
say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable, KeepTogether, Spacer, TableStyle

from bingo.money_and_dates import Whole, Writing
from bingo.pdf import kit
from bingo.pdf import pages as pdf_pages
from bingo.pdf.kit import Digest
from bingo.pdf.pages import OfHall
from bingo.pdf.tagging import TaggedTable
from draws.sales.labels import Data, Money
from halls import training


@dataclass(frozen=True, slots=True)
class RecordedCard:
    """One card; `paid` and `amount` (as the player received it) are None for a used one."""

    day: date
    session: int
    game: int
    issue: str
    card: int
    paid: date | None
    amount: int | None


@dataclass(frozen=True, slots=True)
class CustodyRecord(OfHall):
    """Who destroyed which cards before whom, or handed them over, to whom, with which acta (R51, R52).

    `days` is the term of the rule book or None, `evidence_rule` the rule by which evidence is
    handed over or empty; `witness` the second person at a destruction; `to`, `case`, `reference`,
    `acta` (its SHA-256) and `acta_session` stand where cards were handed over; `entry` and `digest`
    are those of the journal entry.
    """

    at: datetime
    by: str
    days: int | None
    evidence_rule: str
    witness: str
    to: str
    case: int | None
    reference: str
    acta: str
    acta_session: int | None
    cards: tuple[RecordedCard, ...]
    entry: int
    digest: str


NONE = "\N{EN DASH}"


def custody_record(values: CustodyRecord) -> bytes:
    """Return a PDF on A4 in the hall's language; the same values give the same bytes."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        marks = training.marks([values.language], training=values.training)
        sheet = pdf_pages.sheet_of(values, _title(values), day=values.at, at=values.at, marks=marks)
        return pdf_pages.compose(_story(values, writing), sheet, start=pdf_pages.no_data)


def _title(values: CustodyRecord) -> str:
    return _("Record of evidence handed over") if values.to else _("Record of cards destroyed")


def _story(values: CustodyRecord, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *kit.heading(_("Cards")),
        _record_cards(values, writing),
        # Signatures on a sheet of their own could be put under any other record.
        KeepTogether([Spacer(0, 1), *_journal(values), *_signatures(values)]),
    ]


def _opening(values: CustodyRecord, writing: Writing) -> list[Flowable]:
    return [
        _masthead(values),
        Spacer(0, 14),
        kit.paragraph(_title(values), kit.TITLE),
        Spacer(0, 4),
        kit.paragraph(_declared(values)),
        Spacer(0, 10),
        _facts(values, writing),
        Spacer(0, 6),
        kit.paragraph(_("Amounts in %(currency)s.") % {"currency": values.currency}, kit.LABEL),
    ]


def _masthead(values: CustodyRecord) -> TaggedTable:
    right = f"{values.licence}\n{values.rulebook}".split("\n")
    return TaggedTable(
        [
            [
                kit.paragraph(values.hall, kit.VALUE),
                [kit.paragraph(line, kit.SMALL_RIGHT) for line in right],
            ]
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                *kit.BARE,
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )


def _declared(values: CustodyRecord) -> str:
    if values.to:
        told = _(
            "The cards listed here may prove an offence: they are handed over with the acta of "
            "session %(session)s."
        ) % {"session": values.acta_session}
        return f"{told} ({values.evidence_rule})" if values.evidence_rule else told
    if values.days is None:
        return _("The cards listed here were destroyed before the two persons who sign.")
    return ngettext(
        "Winning cards are kept for %(days)s day after the day they were paid (R52). The cards "
        "listed here, which no case holds, were destroyed before the two persons who sign.",
        "Winning cards are kept for %(days)s days after the day they were paid (R52). The cards "
        "listed here, which no case holds, were destroyed before the two persons who sign.",
        values.days,
    ) % {"days": Whole(values.days)}


def _facts(values: CustodyRecord, writing: Writing) -> TaggedTable:
    n = len(values.cards)
    facts = [
        (_("Handed over") if values.to else _("Destroyed"), writing.instant(values.at)),
        (_("Time zone"), writing.offset(values.at)),
        (_("How many"), ngettext("%(n)s card", "%(n)s cards", n) % {"n": Whole(n)}),
        (_("By"), values.by),
    ]
    if values.to:
        facts += [
            (_("Handed to"), values.to),
            (_("Case"), f"{values.case} · {values.reference}"),
        ]
    else:
        facts += [(_("Second person"), values.witness), ("", "")]
    return kit.facts(facts, (0.4, 0.3, 0.3))


def _record_cards(values: CustodyRecord, writing: Writing) -> TaggedTable:
    """One row a card, numbered, and the sum of what they won last."""
    texts = (_("Day of the game"), _("Session"), _("Game"), _("Issue"), _("Card"), _("Paid on"))
    rows: list[list[object]] = [
        [
            kit.labelled("#", style=kit.LABEL_RIGHT),
            *map(kit.labelled, texts),
            kit.labelled(_("Amount"), style=kit.LABEL_RIGHT),
        ],
        *(_row(place, one, writing) for place, one in enumerate(values.cards, start=1)),
        [
            "", _("Total"), "", "", "", "", "",
            writing.amount(sum(one.amount or 0 for one in values.cards)),
        ],
    ]  # fmt: skip
    widths = [kit.WIDTH * share for share in (0.06, 0.18, 0.1, 0.08, 0.18, 0.1, 0.17, 0.13)]
    return kit.ledger(rows, widths, right=(0, 7), total=True)


def _row(place: int, one: RecordedCard, writing: Writing) -> list[object]:
    return [
        str(place),
        writing.day(one.day),
        str(one.session),
        str(one.game),
        kit.paragraph(one.issue, kit.CELL),
        str(one.card),
        writing.day(one.paid) if one.paid else kit.paragraph(_("used card"), kit.CELL),
        NONE if one.amount is None else writing.amount(one.amount),
    ]


def _journal(values: CustodyRecord) -> list[Flowable]:
    told = _(
        "This is entry %(number)s of the hall's journal. Its digest covers all entries before it, "
        "so that none can change without changing this one."
    ) % {"number": values.entry}
    digests = [
        (_("Digest (SHA-256) of entry %(number)s") % {"number": values.entry}, values.digest)
    ]
    if values.acta:
        acta = _("Digest (SHA-256) of the acta of session %(session)s")
        digests.append((acta % {"session": values.acta_session}, values.acta))
    shown: list[Flowable] = [*kit.heading(_("Journal")), kit.paragraph(told, kit.SMALL)]
    for name, digest in digests:
        shown += [Spacer(0, 5), kit.labelled(name), Spacer(0, 2), Digest(digest)]
    return shown


def _signatures(values: CustodyRecord) -> list[Flowable]:
    other = (_("Received by"), values.to) if values.to else (_("Second person"), values.witness)
    lines = kit.signatures(f"{_('Hall manager')} · {values.by}", " · ".join(other))
    return [*kit.heading(_("Signatures"), room=0), lines]


def _used(data: Data, _money: Money) -> str:
    told = [_game(data), _custody_cards(data["cards"])]
    if n := data["missing"]:
        told.append(ngettext("%(n)s not handed in", "%(n)s not handed in", n) % {"n": Whole(n)})
    told += [_("collected by %(by)s: %(cards)s") % one for one in data.get("collected", ())]
    return " · ".join([*told, *([data["note"]] if "note" in data else [])])


def _carried(data: Data, _money: Money) -> str:
    return " · ".join(filter(None, [_game(data), str(data["card"]), data.get("place", "")]))


def _collected(data: Data, _money: Money) -> str:
    return f"{_game(data)} · {_custody_cards(data['cards'])}"


def _destroyed(data: Data, _money: Money) -> str:
    return f"{_custody_cards(len(data['cards']))}: {_listed(data)}"


def _handed_over(data: Data, _money: Money) -> str:
    told = [_case(data), data["to"], f"{_custody_cards(len(data['cards']))}: {_listed(data)}"]
    return " · ".join([*told, f"SHA-256 {data['acta']}"])


def _opened(data: Data, _money: Money) -> str:
    told = [_case(data), _game(data), data["reference"], data["reason"]]
    if cards := data.get("cards"):
        listed = ", ".join(str(card) for _issue, card in cards)
        told.append(_("set aside: %(cards)s") % {"cards": listed})
    return " · ".join(told)


def _closed(data: Data, _money: Money) -> str:
    return f"{_case(data)} · {data['outcome']}"


def _lost(data: Data, money: Money) -> str:
    return f"{_destroyed(data, money)} · {data['reason']}"


def _listed(data: Data) -> str:
    """Name each card by session, game and number."""
    return ", ".join(f"{one['session']}/{one['game']}/{one['card']}" for one in data["cards"])


def _custody_cards(n: int) -> str:
    return ngettext("%(n)s card", "%(n)s cards", n) % {"n": Whole(n)}


def _case(data: Data) -> str:
    return _("case %(number)s") % {"number": data["case"]}


def _game(data: Data) -> str:
    return _("session %(session)s, game %(game)s") % {
        "session": data["session"],
        "game": data["game"],
    }


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "card_carried": _carried,
    "used_cards_collected": _collected,
    "used_cards_destroyed": _used,
    "winning_cards_destroyed": _destroyed,
    "kept_card_lost": _lost,
    "case_opened": _opened,
    "case_closed": _closed,
    "evidence_handed_over": _handed_over,
}
