"""What becomes of cards sold: handed on to another player (R56), or taken back at their till (R36, R40).

Cards are handed on without money. A sale is taken back while nothing of its issue was sold after it:
the journal keeps both facts; the rows of the sale go, since its cards are on the stack again, and a
trigger lets only those go whose entry was taken back (`migrations/sql/0003_taken_back.sql`).
"""

from __future__ import annotations

from datetime import datetime
from math import floor
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.games import queries as games_queries
from draws.games.progress import step
from draws.models import Game, Issue, Sale
from draws.sales.floor import settle_down
from halls import permissions, tills
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who
from halls.models import JournalEntry, Person, Shift


@transaction.atomic
def transfer(
    *,
    game: Game,
    issue: Issue,
    first: int,
    last: int,
    player: str,
    to: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Hand cards first..last of a player, named when they were sold, on to another (R35, R56).

    Raises Refusal: not_allowed, not_sold, not_the_players, same_player, player_missing,
    player_not_named, over_receivers_limit, wrong_phase.
    """
    permissions.require(by, "cards_transferred", hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    told: dict[str, Any] = {
        "issue": issue.pk,
        "first": first,
        "last": last,
        "player": player,
        "to": to,
    }
    if not journal_services.earlier(hall, kind="cards_transferred", by=by, key=key, inputs=told):
        other = games_queries.first_of_another(game, issue, first, last, player=player)
        if other is not None:
            raise Refusal("not_the_players", card=other, player=player)
    return step(game, "cards_transferred", by=by, at=at, key=key, **told).entry


TAKEN_BACK = "sale_taken_back"


@transaction.atomic
def take_back(
    *,
    game: Game,
    shift: Shift,
    sale: JournalEntry,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Put the cards of a sale back on the stack and its money out of the drawer; return the entry.

    `sale` is the entry of the sale. It may be done while a fault holds the game (R55). Raises
    Refusal: not_allowed, not_a_sale, sale_was_taken_back, not_your_shift, sold_since,
    handed_on_since, too_late_to_take_back, not_sold, cash_short, second_person_needed, wrong_phase.
    """
    number, by = sale.number, who["by"]
    if sale.kind != "cards_sold" or (sale.session_id, sale.game) != (game.session_id, game.number):
        raise Refusal("not_a_sale", number=number)
    permissions.require(by, TAKEN_BACK, hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    # How long after the sale is no input of whoever sends the same order again.
    keys = JournalEntry.objects.filter(hall=hall, by=by, kind=TAKEN_BACK, key=who.get("key"))
    if who.get("key") and (earlier := keys.filter(data__sale=number).first()):
        return earlier
    rows = Sale.objects.filter(entry=sale)
    sold = list(rows.order_by("pk"))
    if not sold:
        raise Refusal("sale_was_taken_back", number=number)
    if shift.cashier_id != by.pk or {one.shift_id for one in sold} != {shift.pk}:
        raise Refusal("not_your_shift")
    _require_last(game, sold)
    named: dict[str, Any] = {"player": sale.data["player"]} if "player" in sale.data else {}
    passed = head.stamp(who["at"], hall.head_at) - sale.at
    done = step(
        game, TAKEN_BACK, witness=witness, drawer=shift,
        sale=number, ranges=sale.data["ranges"], till=shift.till.name,
        seconds=floor(passed.total_seconds()), **named, **who,
    )  # fmt: skip
    issues = {one.issue_id for one in sold}
    rows.delete()
    for run in done.state.game.runs if done.state.game else ():
        if run.issue in issues:
            settle_down(run)
    tills.game_moved(shift, "sale_taken_back", done.entry).save()
    return done.entry


def _require_last(game: Game, sold: list[Sale]) -> None:
    """Refuse a sale after which cards of its issues were sold, or some of its own handed on.

    Raises Refusal: sold_since, handed_on_since.
    """
    issues = {one.issue_id for one in sold}
    if Sale.objects.filter(issue__in=issues, pk__gt=sold[-1].pk).exists():
        raise Refusal("sold_since")
    handed = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="cards_transferred"
    ).values_list("data__issue", "data__first", "data__last")
    for issue, first, last in handed:
        if any(one.issue_id == issue and one.first <= last and first <= one.last for one in sold):
            raise Refusal("handed_on_since")
