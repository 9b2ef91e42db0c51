"""Sell cards at the till: what is offered, the sale, and its receipt.

A sale from the page's script is an order in, a small piece of page out; the page sells without
scripts too.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4, uuid5

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bingo.celery_app import later
from bingo.money_and_dates import number_range
from bingo.rules import policies
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import USUAL, Run, is_unusual
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import selling
from bingo.rules.steps.handing_on_and_taking_back import LONGEST
from bingo.rules.steps.selling import LONGEST_PLAYER
from draws.games.queries import HallState, get_hall_state
from draws.models import Game, Sale
from draws.refusals import text as refusals_text
from draws.sales import handing_on_and_taking_back
from draws.sales import labels as sales_labels
from draws.sales import services as sales_services
from draws.sales.issues_to_offer import seconds
from draws.sales.services import SaleResult
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, for_roles, witness_of
from halls.models import Hall, JournalEntry, Person, Role, Shift
from halls.web.menu_and_theme import PAGES

RECENT = 8
HABIT = 20  # last sales of a till, which tell what is usual there
MOST_NAMED = 200  # of the last sales
QUANTITIES = (1, 2, 3, 4, 5, 6, 10, 12)
PRICE_KEYS = ("+", "-", "*", "/")  # beside the digits of the quantity, under the same hand


def sell(order: CommandForm, now: HallState) -> str:
    """Sell the next cards, and say which to hand out and what to give back."""
    quick = bool(order.fields.get("quick"))
    given = None if quick else _given(order)
    sold = _sold(order, quantity=order.integer("quick" if quick else "quantity"), given=given)
    due, cards = sold.entry.data["amount"], sold.entry.data["quantity"]
    told = ngettext("Card %(ranges)s · %(due)s", "Cards %(ranges)s · %(due)s", cards)
    ranges = sales_labels.ranges_named(now.game_state, sold.entry.data["ranges"])
    said = told % {"ranges": ranges, "due": order.money(due)}
    if given is None:
        return said
    return f"{said} · " + _("change %(change)s") % {"change": order.money(given - due)}


def _given(order: CommandForm) -> int | None:
    """Return the cash that was typed, None where cards were picked by a key or it is exact."""
    if order.fields.get("quick") or not order.fields.get("given", "").strip():
        return None
    return order.amount("given")


def player(order: CommandForm) -> str | None:
    """Return who buys, where that is written down (R35)."""
    if not order.fields.get("player"):
        return None
    return order.text("player", longest=LONGEST_PLAYER) or None


def print_receipt(sold: sales_services.SaleResult, *, given: int | None) -> None:
    """Have a sale's receipt printed where the hall wants that, once."""
    if not sold.repeated and policies.of(sold.state.terms).receipts == "printed":
        later("draws.print_receipt", sale_entry=sold.entry.pk, given=given)


def seller(order: CommandForm, field: str) -> Person | None:
    """Return the floor seller that a field names, None when it is empty.

    Raises Refusal: bad_input, unknown_seller.
    """
    chosen = order.optional_integer(field)
    if chosen is None:
        return None
    found = Person.objects.filter(hall=order.hall, pk=chosen).first()
    if found is None:
        raise Refusal("unknown_seller")
    return found


def sellers(now: HallState) -> list[Person]:
    """Return the floor sellers of the hall."""
    found = Person.objects.filter(hall=now.hall, roles__contains=[Role.SELLER], is_active=True)
    return list(found.order_by("name", "pk"))


def context(now: HallState, mine: Shift) -> dict[str, Any]:
    """Return what is on sale, price by price, and what this till sold last."""
    known = now.game_state
    # The cards of a second game of double cards were sold with the first (R15).
    sold = mine.sales.filter(game=now.game and (now.game.first_half or now.game))
    recent = list(sold.select_related("issue__series", "seller", "entry").order_by("-pk")[:RECENT])
    return {
        "selling": known is not None and known.phase == Phase.SELLING,
        "prices": _prices(known) if known else [],
        "left": sum(run.left for run in known.runs) if known else 0,
        "runs": known.runs if known else (),
        "quantities": QUANTITIES,
        "named": _named(now) if known and known.player_limit is not None else [],
        "repeat": recent[0].entry.data["quantity"] if recent else "",
        "recent": recent,
    }


def _named(now: HallState) -> list[str]:
    """Return the players and places named last in this session, to be offered while one is typed."""
    sold = Sale.objects.filter(game__session=now.session).exclude(player="")
    newest = sold.order_by("-pk").values_list("player", flat=True)[:MOST_NAMED]
    return list(dict.fromkeys(newest))


def _prices(known: GameState) -> list[dict[str, Any]]:
    """Return what stands on the tile of each price; a double card is paid for both its games (R15)."""
    keys = dict(zip(known.prices, PRICE_KEYS, strict=False))
    return [
        {
            "face": face,
            "due": face * known.paid_for,
            "issues": ", ".join(f"{run.letter} {run.identification}" for run in runs),
            "next": _next(runs),
            "left": sum(run.left for run in runs),
            "back": [part for run in runs for part in run.back],
            "key": keys.get(face),
        }
        for face in known.prices
        if (runs := known.runs_at(face))
    ]


def _next(runs: tuple[Run, ...]) -> int | None:
    return next((run.upcoming for run in runs if run.left), None)


DESK = "till"
VERB = "sell"
TEMPLATE = "desks/till/sale_result.html"

Context = dict[str, Any]


@never_cache
@for_roles(*PAGES[DESK][1], back=DESK)
@require_POST
def sell_from_page(request: HttpRequest, person: Person) -> HttpResponse:
    """Sell the next cards: 200 with what to hand out and give back, 409 with why not.

    Whoever may sit at the till may ask. A key that was used already is answered as it was then.
    """
    try:
        order = web_forms.read_form(request, person)
    except Refusal as refusal:
        return _refused(request, person, refusal)
    try:
        sold = _sold(order, quantity=order.integer("quantity"), given=_given(order))
        return _render_piece(person, _sold_context(order, sold))
    except Refusal as refusal:
        if earlier := _earlier(order):
            return _render_piece(person, _sold_context(order, earlier))
        return _refused(request, person, refusal)


def _sold(order: CommandForm, *, quantity: int, given: int | None) -> SaleResult:
    """Sell the next cards at the cashier's till, and have the receipt printed where it is wanted."""
    shift, game = _seat(order)
    web_forms.require_game(order, game)
    _require_sure(order, game, quantity=quantity, till=shift.till.name)
    sold = sales_services.ring_up(
        order=sales_services.SaleRequest(
            game=game,
            shift=shift,
            quantity=quantity,
            first=None,
            seller=seller(order, "seller"),
            face=order.optional_integer("face"),
            player=player(order),
            **order.who,
        ),
        given=given,
    )
    if not sold.rows:
        raise Refusal("sale_was_taken_back", number=sold.entry.number)
    print_receipt(sold, given=given)
    return sold


def _require_sure(order: CommandForm, game: Game, *, quantity: int, till: str) -> None:
    """Ask once more before a sale that may be a slip of the hand. Raises Refusal quantity_unusual."""
    if quantity <= USUAL or order.ticked("sure"):
        return
    known = get_hall_state(order.hall.code).game_state
    if known is None or quantity > sum(run.left for run in known.runs):
        return  # refused for another reason
    face = order.optional_integer("face")
    if face not in known.prices and (face is not None or len(known.prices) > 1):
        return  # at which price is to be said first
    sold = JournalEntry.objects.filter(
        Exists(Sale.objects.filter(entry=OuterRef("pk"))),
        session=game.session_id, kind="cards_sold", data__till=till,
    ).order_by("-number")  # fmt: skip
    if is_unusual(quantity, list(sold.values_list("data__quantity", flat=True)[:HABIT])):
        price = face or game.face
        amount = quantity * price * (2 if game.issue.double else 1)
        raise Refusal(
            "quantity_unusual", quantity=quantity, amount=order.money(amount), field="quantity"
        )


def take_back(order: CommandForm, now: HallState) -> str:
    """Take the last sale of this till back, and say what to give back and what to keep."""
    shift, game = web_forms.shift_and_game(order)
    sale = JournalEntry.objects.filter(hall=order.hall, number=order.integer("sale")).first()
    if sale is None:
        raise Refusal("not_a_sale", number=order.integer("sale"))
    done = handing_on_and_taking_back.take_back(
        game=game, shift=shift, sale=sale, witness=witness_of(order, kind="sale_taken_back"),
        **order.who,
    )  # fmt: skip
    cards = sales_labels.ranges_named(now.game_state, done.data["ranges"])
    told = ngettext(
        "Card %(cards)s is taken back: keep it, and give back %(amount)s",
        "Cards %(cards)s are taken back: keep them, and give back %(amount)s",
        done.data["quantity"],
    )
    return told % {"cards": cards, "amount": order.money(done.data["amount"])}


def _seat(order: CommandForm) -> tuple[Shift, Game]:
    """Return the person's open shift and the game under way, read at once where both are there.

    Raises Refusal: no_session, no_shift, no_game.
    """
    return sales_services.seat(order.person) or web_forms.shift_and_game(order)


def _earlier(order: CommandForm) -> SaleResult | None:
    """Return what this very order came to before, when its answer was lost on the way back."""
    found = JournalEntry.objects.filter(hall=order.hall, by=order.person, key=order.key)
    entry = found.select_related("session").filter(kind="cards_sold").first()
    # What was taken back meanwhile is not to be handed out any more.
    stands = entry is not None and entry.sales.exists()
    return sales_services.sold_by(entry) if entry and stands and _is_of(order, entry) else None


def _is_of(order: CommandForm, entry: JournalEntry) -> bool:
    """Return whether an entry came of the same fields."""
    data = entry.data
    try:
        by, given = seller(order, "seller"), _given(order)
        asked = (order.integer("quantity"), order.optional_integer("face"), player(order))
    except Refusal:
        return False
    if (data["quantity"], data.get("face"), data.get("player")) != asked:
        return False
    if given is not None and given < data["amount"]:
        return False
    return bool(data["seller"] == (by.username if by else None))


def _sold_context(order: CommandForm, sold: SaleResult) -> Context:
    amount, given = sold.entry.data["amount"], _given(order)
    known = sold.state.game
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs} if known else {}
    return {
        "ranges": [_range(sale, names) for sale in sold.rows],
        "due": order.money(amount),
        "given": given,
        "paid": None if given is None else order.money(given),
        "change": None if given is None else order.money(given - amount),
        "entry": sold.entry.number,
        "receipt": policies.of(sold.state.terms).receipts != "none",
        "may_take_back": sold.entry.by_id == order.person.pk,
        # The same for the same sale, so that pressing twice takes back once.
        "back_key": uuid5(order.key, "sale_taken_back"),
        "take_back_seconds": LONGEST,
        "policy": policies.of(sold.state.terms),
        **_coming(order.hall, known, sold.entry),
    }


def _range(sale: Sale, names: dict[int, str]) -> Context:
    issue = names.get(sale.issue_id) or str(sale.issue)
    return {"issue": issue, "cards": number_range(sale.first, sale.last)}


def _coming(hall: Hall, known: GameState | None, entry: JournalEntry) -> Context:
    """Return what comes next at the price of a sale, as long as its game is on sale."""
    if known is None or (known.number, known.phase) != (entry.game, Phase.SELLING):
        return {"next": None, "left": 0}
    runs = selling.priced(known, entry.data.get("face"))
    upcoming = next((run.upcoming for run in runs if run.left), None)
    if left := sum(run.left for run in runs):
        return {"next": upcoming, "left": left}
    return {"next": None, "left": 0, "may_follow": _follows(hall, known, runs)}


def _refused(request: HttpRequest, person: Person, refusal: Refusal) -> HttpResponse:
    web_forms.note_refusal(request, refusal, command=VERB)
    text = refusals_text.refusal(refusal)
    context: Context = {
        "refusal": {"code": refusal.code, "text": text, "values": refusal.values},
        "sure": refusal.code == "quantity_unusual",
        "offer": refusal.values["left"] if refusal.code == "only_left" else None,
        "may_follow": refusal.code in ("only_left", "sold_out") and _may_follow(person),
    }
    return _render_piece(person, context, status=409)


def _may_follow(person: Person) -> bool:
    """Return whether a second issue may be opened at some price (R38)."""
    known = get_hall_state(person.hall.code).game_state
    return known is not None and any(
        _follows(person.hall, known, known.runs_at(face)) for face in known.prices
    )


def _follows(hall: Hall, known: GameState, runs: tuple[Run, ...]) -> bool:
    """Return whether the hall has an issue that may follow these of one price."""
    return bool(seconds(hall, known, known.price(runs[0])).ready)


def _render_piece(person: Person, context: Context, *, status: int = 200) -> HttpResponse:
    """Return the piece of page; it needs nothing of what a whole page is given."""
    piece = loader.get_template(TEMPLATE)
    shown = piece.render({**context, "key": uuid4(), "hall": person.hall})
    return HttpResponse(shown, status=status)


selling_urls = [path(f"{DESK}/{VERB}/", sell_from_page, name="till-sell")]
