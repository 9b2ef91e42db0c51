"""The page of cards in custody: destroyed, held, handed over, with the record to sign (R51, R52).

The cards, game or case that a form means are those of the person's own hall.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole
from bingo.rules.cards import parted
from bingo.rules.custody import LONGEST_REFERENCE, MOST_AT_ONCE, Card, in_order
from bingo.rules.refusal import Refusal
from bingo.rules.texts import LONGEST_REASON
from draws import trade_words
from draws.cards import stock_queries
from draws.custody import custody_list, queries, services
from draws.custody.documents import custody_record
from draws.games import queries as games_queries
from draws.models import Case, Game
from draws.record import journal_text
from draws.web import listing
from draws.web.forms import LARGEST, CommandForm, card_of, witness_of
from draws.web.page_classes import READERS as RECORD_READERS
from draws.web.page_classes import Context, Page, PageRequest, Success, file_response, reading
from halls.models import Role

NAMED = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")
NUMBER = re.compile(r"[0-9]{1,10}")
LONGEST_LIST = 4000


def ticked(order: CommandForm) -> list[Card]:
    """Return the cards ticked in a list. Raises Refusal: bad_input, too_many_cards."""
    told = order.fields.getlist("card")
    if len(told) > MOST_AT_ONCE:
        raise Refusal("too_many_cards", most=MOST_AT_ONCE)
    found = [NAMED.fullmatch(one) for one in told]
    cards = [(int(one[1]), int(one[2])) for one in found if one]
    if len(cards) < len(told) or any(max(card) > LARGEST for card in cards):
        raise Refusal("bad_input", field="card", wanted="choice")
    return in_order(cards)


def game_of(order: CommandForm) -> Game:
    """Return the game that a form names by session and number. Raises Refusal: bad_input, unknown_game."""
    session, number = order.integer("session"), order.integer("game")
    return _game(order, session__number=session, number=number)


def used_game_of(order: CommandForm) -> Game:
    """Return the game chosen from the list. Raises Refusal: bad_input, unknown_game."""
    return _game(order, pk=order.integer("game"))


def _game(order: CommandForm, **named: int) -> Game:
    found = Game.objects.filter(session__hall=order.hall, **named)
    game = found.select_related("session", "issue", "first_half").first()
    if game is None:
        raise Refusal("unknown_game")
    return game


def cards_of(order: CommandForm, game: Game) -> list[Card]:
    """Return the cards of a game typed by their numbers or codes, parted by spaces or commas.

    Raises Refusal: bad_input, too_many_cards, not_sold, card_of_two_issues, or what a code's reading
    refuses.
    """
    told = parted(order.text("cards", longest=LONGEST_LIST))
    if len(told) > MOST_AT_ONCE:
        raise Refusal("too_many_cards", most=MOST_AT_ONCE)
    return in_order(_cards(order, game, told))


def _cards(order: CommandForm, game: Game, told: Iterable[str]) -> Iterable[Card]:
    for one in told:
        if stock_queries.is_code(one):
            issue, number = stock_queries.card_of(order.hall, one)
            yield issue.pk, number
        elif NUMBER.fullmatch(one) and int(one) <= LARGEST:
            yield _sold(game, int(one)), int(one)
        else:
            raise Refusal("bad_input", field="cards", wanted="whole")


def _sold(game: Game, number: int) -> int:
    """Return the issue of which a card of that number was sold in a game."""
    sold = games_queries.sold_in(game).filter(first__lte=number, last__gte=number)
    issues = set(sold.values_list("issue", flat=True))
    if not issues:
        raise Refusal("not_sold", card=number)
    if len(issues) > 1:
        raise Refusal("card_of_two_issues", card=number)
    return int(issues.pop())


def case_of(order: CommandForm) -> Case:
    """Return the case that a form names by its number. Raises Refusal: bad_input, unknown_case."""
    found = Case.objects.filter(hall=order.hall, number=order.integer("case"))
    case = found.select_related("hall", "game__session").first()
    if case is None:
        raise Refusal("unknown_case")
    return case


@reading
def record_file(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return the record of the hall's journal entry of that number."""
    number = asked.place["number"]
    entry = get_object_or_404(custody_list.entries(asked.hall), number=number)
    content = custody_record(custody_list.get_custody_record(entry))
    name = f"custody-{asked.hall.code}-{number}.pdf"
    return file_response(content, kind="application/pdf", name=name)


FILES: list[URLPattern] = [path("custody/<int:number>.pdf", record_file, name="custody-record")]


READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
SHOWN = 20  # records of a page, closed cases


def destroy_used(order: CommandForm, _asked: PageRequest) -> Success:
    """Note that a game's used cards were collected and destroyed."""
    game, cards = used_game_of(order), order.integer("cards")
    services.destroy_used(game=game, cards=cards, note=order.text("note"), **order.who)
    text = _("Noted: the used cards of game %(game)s are destroyed")
    return Success(text % {"game": game.number}, _here())


def destroy(order: CommandForm, _asked: PageRequest) -> Success:
    """Destroy the cards ticked, before a second person."""
    cards = ticked(order)
    witness = witness_of(order, kind=services.WINNING)
    entry = services.destroy(hall=order.hall, cards=cards, witness=witness, **order.who)
    n = len(entry.data["cards"])
    text = ngettext(
        "%(n)s card is destroyed: print the record and sign it",
        "%(n)s cards are destroyed: print the record and sign it",
        n,
    )
    return Success(text % {"n": Whole(n)}, f"{_here()}#records")


def lose(order: CommandForm, _asked: PageRequest) -> Success:
    """Record that a kept card is not there any more, before a second person."""
    issue, card = card_of(order)
    services.lose(
        hall=order.hall, cards=[(issue.pk, card)], reason=order.text("reason"),
        witness=witness_of(order, kind=services.LOST), **order.who,
    )  # fmt: skip
    text = _("Recorded: kept card %(card)s is lost. Nothing waits for it any more")
    return Success(text % {"card": card}, f"{_here()}#records")


def open_case(order: CommandForm, _asked: PageRequest) -> Success:
    """Hold the cards of a game for a case."""
    game = game_of(order)
    case = services.open_case(
        game=game,
        reference=order.text("reference"),
        reason=order.text("reason"),
        cards=cards_of(order, game),
        **order.who,
    )
    text = _("Case %(number)s is open: the cards of its game are kept")
    return Success(text % {"number": case.number}, f"{_here()}#case-{case.number}")


def close_case(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the cards of a case go."""
    case = services.close_case(case=case_of(order), outcome=order.text("outcome"), **order.who)
    return Success(_("Case %(number)s is closed") % {"number": case.number}, _here())


def hand_over_shelf(order: CommandForm, _asked: PageRequest) -> Success:
    """Hand the cards ticked to the regulator, with the acta."""
    case, cards = case_of(order), ticked(order)
    entry = services.hand_over(case=case, cards=cards, to=order.text("to"), **order.who)
    n = len(entry.data["cards"])
    text = ngettext(
        "%(n)s card is handed over: have the record signed",
        "%(n)s cards are handed over: have the record signed",
        n,
    )
    return Success(text % {"n": Whole(n)}, f"{_here()}#records")


def _here() -> str:
    return reverse("custody")


def shelf_context(asked: PageRequest) -> Context:
    """Return the shelf by days and cases, the used cards to be noted, and the records to be signed."""
    hall, now = asked.hall, timezone.now()
    used = custody_list.used(hall)
    records = listing.listed(
        custody_list.entries(hall), columns=(), query=asked.query, per_page=SHOWN
    )
    roles = set(asked.person.roles)
    return {
        "chosen": asked.typed.getlist("card"),
        "shelf": custody_list.list_kept_cards(hall, at=now),
        "days": queries.days(hall),
        "today": hall.day(now),
        "unpaid": custody_list.unpaid(hall),
        "used": used,
        "lost": [
            (one, journal_text.describe_entry(one)) for one in custody_list.lost(hall)[:SHOWN]
        ],
        "issues": custody_list.issues(hall),
        "to_note": [one for one in used if one.done is None],
        "records": [
            (entry, trade_words.kind(entry.kind), len(entry.data["cards"]))
            for entry in records.page
        ],
        "listing": records,
        "closed_cases": custody_list.closed_cases(hall)[:SHOWN],
        "may_decide": Role.HALL_MANAGER in roles,
        "may_read_records": bool(set(RECORD_READERS) & roles),
        "most": MOST_AT_ONCE,
        "longest": LONGEST_REASON,
        "longest_reference": LONGEST_REFERENCE,
    }


PAGE = Page(
    "custody",
    "custody/",
    "custody/custody.html",
    shelf_context,
    {
        "destroy-used": destroy_used,
        "destroy": destroy,
        "lose": lose,
        "open-case": open_case,
        "close-case": close_case,
        "hand-over": hand_over_shelf,
    },
    readers=READERS,
    writers=WRITERS,
)
