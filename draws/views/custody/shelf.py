"""The shelf of cards, and what the hall does with them: destroyed, held, handed over (R51, R52)."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.rules.custody import LONGEST_REFERENCE, MOST_AT_ONCE
from bingo.rules.signs import LONGEST_REASON
from draws.documents import facts, words
from draws.queries import custody as queries
from draws.queries import custody_record, custody_shelf
from draws.services import cases, custody
from draws.views.custody import meant
from draws.views.meant import card_of
from draws.views.order import Order
from draws.views.page import READERS as RECORD_READERS
from draws.views.page import Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import Role

READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
SHOWN = 20  # records, closed cases


def destroy_used(order: Order, _asked: Asked) -> Done:
    """Note that a game's used cards were collected and destroyed."""
    game, cards = meant.used_game_of(order), order.integer("cards")
    custody.destroy_used(game=game, cards=cards, note=order.text("note"), **order.who)
    text = _("Noted: the used cards of game %(game)s are destroyed")
    return Done(text % {"game": game.number}, _here())


def destroy(order: Order, _asked: Asked) -> Done:
    """Destroy the cards ticked, before a second person."""
    cards = meant.ticked(order)
    witness = witness_of(order, kind=custody.WINNING)
    entry = custody.destroy(hall=order.hall, cards=cards, witness=witness, **order.who)
    n = len(entry.data["cards"])
    text = ngettext(
        "%(n)s card is destroyed: print the record and sign it",
        "%(n)s cards are destroyed: print the record and sign it",
        n,
    )
    return Done(text % {"n": n}, f"{_here()}#records")


def lose(order: Order, _asked: Asked) -> Done:
    """Record that a kept card is not there any more, before a second person."""
    issue, card = card_of(order)
    custody.lose(
        hall=order.hall, cards=[(issue.pk, card)], reason=order.text("reason"),
        witness=witness_of(order, kind=custody.LOST), **order.who,
    )  # fmt: skip
    text = _("Recorded: kept card %(card)s is lost. Nothing waits for it any more")
    return Done(text % {"card": card}, f"{_here()}#records")


def open_case(order: Order, _asked: Asked) -> Done:
    """Hold the cards of a game for a case."""
    game = meant.game_of(order)
    case = cases.open_case(
        game=game,
        reference=order.text("reference"),
        reason=order.text("reason"),
        cards=meant.cards_of(order, game),
        **order.who,
    )
    text = _("Case %(number)s is open: the cards of its game are kept")
    return Done(text % {"number": case.number}, f"{_here()}#case-{case.number}")


def close_case(order: Order, _asked: Asked) -> Done:
    """Let the cards of a case go."""
    case = cases.close_case(case=meant.case_of(order), outcome=order.text("outcome"), **order.who)
    return Done(_("Case %(number)s is closed") % {"number": case.number}, _here())


def hand_over(order: Order, _asked: Asked) -> Done:
    """Hand the cards ticked to the regulator, with the acta."""
    case, cards = meant.case_of(order), meant.ticked(order)
    entry = custody.hand_over(case=case, cards=cards, to=order.text("to"), **order.who)
    n = len(entry.data["cards"])
    text = ngettext(
        "%(n)s card is handed over: have the record signed",
        "%(n)s cards are handed over: have the record signed",
        n,
    )
    return Done(text % {"n": n}, f"{_here()}#records")


def _here() -> str:
    return reverse("custody")


def context(asked: Asked) -> Context:
    """Give the shelf by days and cases, the used cards to be noted, and the records to be signed."""
    hall, now = asked.hall, timezone.now()
    used = custody_shelf.used(hall)
    roles = set(asked.person.roles)
    return {
        "shelf": custody_shelf.shelf(hall, at=now),
        "days": queries.days(hall),
        "today": queries.day(hall, now),
        "unpaid": custody_shelf.unpaid(hall),
        "used": used,
        "lost": [(one, facts.told(one)) for one in custody_shelf.lost(hall)[:SHOWN]],
        "issues": custody_shelf.issues(hall),
        "to_note": [one for one in used if one.done is None and one.left],
        "records": [
            (entry, words.kind(entry.kind), len(entry.data["cards"]))
            for entry in custody_record.entries(hall)[:SHOWN]
        ],
        "closed_cases": custody_shelf.closed_cases(hall)[:SHOWN],
        "may_decide": Role.HALL_MANAGER in roles,
        "may_read_records": bool(set(RECORD_READERS) & roles),
        "most": MOST_AT_ONCE,
        "longest": LONGEST_REASON,
        "longest_reference": LONGEST_REFERENCE,
    }


PAGE = Page(
    "custody",
    "custody/",
    "custody.html",
    context,
    {
        "destroy-used": destroy_used,
        "destroy": destroy,
        "lose": lose,
        "open-case": open_case,
        "close-case": close_case,
        "hand-over": hand_over,
    },
    readers=READERS,
    writers=WRITERS,
)
