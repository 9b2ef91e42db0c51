"""Floor sales: blocks handed to sellers, settled, handed over, written off (R38)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction

from bingo.rules import sale_order as rules_sales
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run, Stretch
from bingo.rules.session_state import GameState
from draws.cards.stock import write_off as retire
from draws.games.progress import step
from draws.models import Game, Issue, Sale, Taking
from draws.sales import services
from halls import tills
from halls.journal.head import Recorded
from halls.journal.services import Who
from halls.models import JournalEntry, Person, Shift


@transaction.atomic
def hand_out(
    *,
    game: Game,
    shift: Shift,
    seller: Person,
    quantity: int,
    face: int | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Hand the next `quantity` cards to a floor seller; they are not sold yet.

    Raises Refusal: not_allowed, not_your_shift, unknown_seller, only_left, sold_out,
    quantity_not_positive, price_missing, price_not_on_sale, wrong_phase, shift_not_open.
    """
    _require_till(shift, who["by"])
    services.require_seller(seller, hall=game.session.hall_id)
    done = step(
        game, "cards_handed_out", drawer=shift,
        quantity=quantity, seller=seller.username, till=shift.till.name, face=face, **who
    )  # fmt: skip
    if done.repeated:
        return done.entry
    rows = services.takings(done, game=game)
    Taking.objects.bulk_create(rows)
    for part in done.entry.data["ranges"]:
        held = Taking.objects.filter(issue=part["issue"], first=part["first"], last=part["last"])
        held.update(seller=seller)
    _move_on(done)
    return done.entry


@transaction.atomic
def settle(
    *,
    game: Game,
    shift: Shift,
    seller: Person,
    issue: Issue,
    first: int,
    last: int,
    returned: Sequence[Stretch] = (),
    players: Sequence[tuple[str, int]] = (),
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Settle cards first..last of a seller: those `returned` are unsold, the others are paid for.

    `players` are who bought those, in the order of the cards, and how many each (R35).
    Raises Refusal: not_allowed, not_your_shift, unknown_seller, not_handed_out, not_in_the_block,
    player_needed, player_missing, players_unlike_cards, buyer_over_limit, wrong_phase,
    shift_not_open.
    """
    _require_till(shift, by)
    _require_ours(seller, game)
    named: dict[str, Any] = {"players": [list(one) for one in players]} if players else {}
    done = step(
        game, "block_settled", by=by, at=at, key=key, drawer=shift,
        seller=seller.username, issue=issue.pk, first=first, last=last,
        returned=[list(part) for part in returned], till=shift.till.name, **named,
    )  # fmt: skip
    if done.repeated:
        return done.entry
    before, after = _run(done, issue, before=True), _run(done, issue)
    rows = services.sale_rows(done.entry, game=game, shift=shift, seller=seller)
    # Each player's cards are a taking of their own, as each sale is of one.
    sold = [(row.first, row.last) for row in rows]
    asked = rules_sales.without(first, last, before.retired)
    for part in (*sold, *rules_sales.difference(asked, sold)):
        services.part_from_those_out(issue.pk, part, game=game)
    settle_down(after)
    Sale.objects.bulk_create(rows)
    tills.game_moved(shift, "block_settled", done.entry).save()
    return done.entry


@transaction.atomic
def hand_over(
    *,
    game: Game,
    seller: Person,
    to: Person,
    issue: Issue,
    first: int,
    last: int,
    **who: Unpack[Who],
) -> JournalEntry:
    """Pass cards first..last from one seller to a colleague, who answers for them from then on.

    Raises Refusal: not_allowed, unknown_seller, same_seller, not_handed_out, wrong_phase.
    """
    _require_ours(seller, game)
    services.require_seller(to, hall=game.session.hall_id)
    done = step(
        game, "block_handed_over",
        seller=seller.username, to=to.username, issue=issue.pk, first=first, last=last, **who
    )  # fmt: skip
    if done.repeated:
        return done.entry
    run = _run(done, issue)
    for part in rules_sales.without(first, last, run.retired):
        services.part_from_those_out(issue.pk, part, game=game, seller=to)
    return done.entry


@transaction.atomic
def write_off(
    *,
    game: Game,
    issue: Issue,
    first: int,
    last: int,
    reason: str,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Write off damaged cards that nobody has bought, wherever they are; the sale passes them over.

    Raises Refusal: not_allowed, reason_missing, not_on_sale, card_already_sold,
    card_already_retired, second_person_needed, wrong_phase.
    """
    done = step(
        game, "cards_written_off", witness=witness,
        issue=issue.pk, first=first, last=last, reason=reason, **who
    )  # fmt: skip
    if done.repeated:
        return done.entry
    retire(issue, done.entry)
    before, after = _run(done, issue, before=True), _run(done, issue)
    if first < before.next:
        gone = (first, min(last, before.next - 1))
        services.part_from_those_out(issue.pk, gone, game=game, passed=True)
    settle_down(after)
    return done.entry


def _require_till(shift: Shift, by: Person) -> None:
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")


def _require_ours(seller: Person, game: Game) -> None:
    """Whoever has cards in hand can give them back, whatever has become of the person since."""
    if seller.hall_id != game.session.hall_id:
        raise Refusal("unknown_seller")


def _run(done: Recorded, issue: Issue, *, before: bool = False) -> Run:
    known = (done.before if before else done.state).game
    return next(run for run in known.runs if run.issue == issue.pk) if known else _nothing()


def _nothing() -> Any:
    raise Refusal("no_game")


def _move_on(done: Recorded) -> None:
    if done.state.game:
        _move_last_sold({part["issue"] for part in done.entry.data["ranges"]}, done.state.game)


def settle_down(run: Run) -> None:
    """Let the rows end where the run has come to: what lies on the stack again has none."""
    rows = Taking.objects.filter(issue=run.issue, last__gt=run.top)
    rows.filter(first__gt=run.top).delete()
    # Cards sold in another hall and cards retired since were passed over as one.
    rows.update(last=run.top)
    Issue.objects.filter(pk=run.issue).update(last_sold=run.top)


def _move_last_sold(issues: Iterable[int], state: GameState) -> None:
    """Keep `last_sold` of some issues in step with the game."""
    for run in state.runs:
        if run.issue in issues:
            Issue.objects.filter(pk=run.issue).update(last_sold=run.top)
