"""Take a sale back at the till that made it, while nothing of its issue was sold after it (R36, R40).

The journal keeps both facts. The rows of the sale go, since its cards are on the stack again: a
trigger lets only those go whose entry was taken back (`migrations/sql/0003_taken_back.sql`).
"""

from __future__ import annotations

from math import floor
from typing import Any, Unpack

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.games.progress import step
from draws.models import Game, Sale
from draws.sales.floor import settle_down
from halls import tills
from halls.journal.services import Who
from halls.models import JournalEntry, Person, Shift


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

    `sale` is the entry of the sale. Raises Refusal: not_allowed, not_a_sale, not_your_shift,
    sold_since, too_late_to_take_back, not_sold, cash_short, second_person_needed, wrong_phase.
    """
    if sale.kind != "cards_sold" or (sale.session_id, sale.game) != (game.session_id, game.number):
        raise Refusal("not_a_sale", number=sale.number)
    if shift.cashier_id != who["by"].pk or sale.by_id != who["by"].pk:
        raise Refusal("not_your_shift")
    if sale.data["till"] != shift.till.name:
        raise Refusal("not_your_shift")
    named: dict[str, Any] = {"player": sale.data["player"]} if "player" in sale.data else {}
    passed = (who["at"] - sale.at).total_seconds()
    done = step(
        game, "sale_taken_back", witness=witness, drawer=shift,
        sale=sale.number, ranges=sale.data["ranges"], till=shift.till.name,
        seconds=floor(passed), **named, **who,
    )  # fmt: skip
    if done.repeated:
        return done.entry
    rows = Sale.objects.filter(entry=sale)
    issues = set(rows.values_list("issue", flat=True))
    newest = rows.order_by("pk").last()
    if newest is None or Sale.objects.filter(issue__in=issues, pk__gt=newest.pk).exists():
        raise Refusal("sold_since")
    rows.delete()
    for run in done.state.game.runs if done.state.game else ():
        if run.issue in issues:
            settle_down(run)
    tills.game_moved(shift, "sale_taken_back", done.entry).save()
    return done.entry
