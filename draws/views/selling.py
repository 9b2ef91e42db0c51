"""One sale from a cashier's page: an order in, a small piece of page out."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Phase
from bingo.rules.steps import selling
from draws.documents import words
from draws.models import Game, Sale
from draws.queries import seats
from draws.queries.standing import standing
from draws.services import games, sales
from draws.services.sales import Sold
from draws.views import order as orders
from draws.views import refused
from draws.views.order import Order
from draws.views.till import seat
from draws.views.till.sale import player, print_receipt, seller
from halls.models import JournalEntry, Person, Shift
from halls.queries.sessions import the_open_session
from halls.services import tills
from halls.views.console import PAGES

DESK = "till"
VERB = "sell"
TEMPLATE = "till/sold.html"

Context = dict[str, Any]


@never_cache
def sell(request: HttpRequest) -> HttpResponse:
    """Sell the next cards: 200 with what to hand out and give back, 409 with why not.

    Whoever may sit at the till may ask. A key that was used already is answered as it was then.
    """
    person = request.user
    if not person.is_authenticated:
        return redirect_to_login(reverse(DESK))
    roles = PAGES[DESK][1]
    if not isinstance(person, Person) or not set(roles) & set(person.roles):
        return refused.forbidden(request, roles)
    return _answer(request, person)


@require_POST
def _answer(request: HttpRequest, person: Person) -> HttpResponse:
    try:
        order = orders.read(request, person)
    except Refusal as refusal:
        return _refused(request, person, refusal)
    try:
        return _shown(person, _told(order, _sold(order)))
    except Refusal as refusal:
        if earlier := _earlier(order):
            return _shown(person, _told(order, earlier))
        return _refused(request, person, refusal)


def _sold(order: Order) -> Sold:
    shift, game = _seat(order.person)
    seat.require_game(order, game)
    sold = sales.ring_up(
        order=sales.Order(
            game=game,
            shift=shift,
            quantity=order.integer("quantity"),
            first=None,
            seller=seller(order, "seller"),
            face=order.optional_integer("face"),
            player=player(order),
            by=order.person,
            at=order.at,
            key=order.key,
        ),
        given=_given(order),
    )
    print_receipt(sold, given=_given(order))
    return sold


def _seat(person: Person) -> tuple[Shift, Game]:
    """Give a person's open shift and the game under way. Raises Refusal: no_session, no_shift, no_game."""
    if found := seats.seat(person):
        return found
    shift = tills.shift_of(the_open_session(person.hall), person)
    return shift, games.current(shift.session)


def _given(order: Order) -> int | None:
    return order.amount("given") if order.fields.get("given", "").strip() else None


def _earlier(order: Order) -> Sold | None:
    """Give what this very order came to before, when its answer was lost on the way back."""
    found = JournalEntry.objects.filter(hall=order.hall, by=order.person, key=order.key)
    entry = found.select_related("session").filter(kind="cards_sold").first()
    return sales.sold_by(entry) if entry and _is_of(order, entry) else None


def _is_of(order: Order, entry: JournalEntry) -> bool:
    """Tell whether an entry came of the same fields."""
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


def _told(order: Order, sold: Sold) -> Context:
    amount, given = sold.entry.data["amount"], _given(order)
    known = sold.state.game
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs} if known else {}
    return {
        "ranges": [_range(sale, names) for sale in sold.rows],
        "due": amount,
        "given": given,
        "change": None if given is None else given - amount,
        "entry": sold.entry.number,
        "receipt": policies.of(sold.state.terms).receipts != "none",
        **_coming(known, sold.entry),
    }


def _range(sale: Sale, names: dict[int, str]) -> Context:
    issue = names.get(sale.issue_id) or str(sale.issue)
    return {"issue": issue, "first": sale.first, "last": sale.last}


def _coming(known: GameState | None, entry: JournalEntry) -> Context:
    """Give what comes next at the price of a sale, as long as its game is on sale."""
    if known is None or (known.number, known.phase) != (entry.game, Phase.SELLING):
        return {"next": None, "left": 0}
    runs = selling.priced(known, entry.data.get("face"))
    upcoming = next((run.upcoming for run in runs if run.left), None)
    left = sum(run.left for run in runs)
    return {"next": upcoming, "left": left, "may_follow": len(runs) == 1}


def _refused(request: HttpRequest, person: Person, refusal: Refusal) -> HttpResponse:
    refused.note(request, refusal, command=VERB)
    text = words.refusal(refusal)
    context: Context = {
        "refusal": {"code": refusal.code, "text": text, "values": refusal.values},
        "offer": refusal.values["left"] if refusal.code == "only_left" else None,
        "may_follow": refusal.code in ("only_left", "sold_out") and _may_follow(person),
    }
    return _shown(person, context, status=409)


def _may_follow(person: Person) -> bool:
    """Tell whether some price has no second issue yet, so that one might follow (R38)."""
    known = standing(person.hall.code).known
    return known is not None and any(len(known.runs_at(face)) == 1 for face in known.prices)


def _shown(person: Person, context: Context, *, status: int = 200) -> HttpResponse:
    """Give the piece of page; it needs nothing of what a whole page is given."""
    piece = loader.get_template(TEMPLATE)
    shown = piece.render({**context, "key": uuid4(), "hall": person.hall})
    return HttpResponse(shown, status=status)


urls = [path(f"{DESK}/{VERB}/", sell, name="till-sell")]
