"""Everything an acta says of one game, read from its rows and its journal (R59, R61 b to i)."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.db.models import Q

from bingo.rules import jackpots, prizes
from bingo.rules.prizes import Prizes
from draws.documents import acta, claim_words, words
from draws.documents.acta_session_values import LevelValues
from draws.documents.acta_values import LevelShareValues
from draws.models import Game, Payment, Prize
from draws.queries import (
    acta_draw,
    acta_events,
    acta_jackpot,
    acta_prizes,
    acta_randomness,
    carried,
    record,
    sold,
)
from halls.models import JournalEntry

CHECK_CHARACTERS = 4
JACKPOTS = tuple(jackpots.prize(level) for level in range(jackpots.MOST_LEVELS))


def values(game: Game, zone: ZoneInfo, *, jackpot: Sequence[LevelValues] = ()) -> acta.GameValues:
    """Give a game's values, hours in the hall's time zone; words in the active language.

    `jackpot` has the levels of the session.
    """
    journal = JournalEntry.objects.filter(session=game.session_id, game=game.number)
    kept = {entry.kind: entry for entry in journal.select_related("by").order_by("number")}
    completed = kept["entry_completed"].data
    fixed = _fixed(kept)
    drawn = acta_prizes.drawn(game)
    divided = acta_prizes.distribution(game, figure=bool(drawn))
    return acta.GameValues(
        number=game.number,
        format=str(game.issue.series.format),
        issues=_issues(game),
        face_value=game.face,
        cards_sold=game.cards,
        gross=record.collected(game),
        fund=fixed.fund,
        line=game.line,
        bingo=game.bingo,
        jackpot_accrual=0 if game.void else game.accrual,
        jackpot_awarded=sum(completed["paid"].get(prize, 0) for prize in JACKPOTS),
        tax_withheld=completed["tax"],
        paid_line=completed["paid"]["line"],
        paid_bingo=completed["paid"]["bingo"],
        refunded=completed["refunded"],
        balls=acta_draw.balls(game, zone),
        draw=acta_draw.notes(game, zone),
        winners=_winners(game, zone),
        rejected=_rejected(game, zone),
        started_at=game.opened_at.astimezone(zone),
        ended_at=game.ended_at.astimezone(zone) if game.ended_at else None,
        voided=game.void or None,
        caller=name_of(kept.get("draw_announced") or kept.get("sale_announced")),
        table_chief=name_of(kept["entry_completed"]),
        check=kept["entry_completed"].digest[:CHECK_CHARACTERS].upper(),
        half=_half(game),
        randomness=acta_randomness.values(game, kept),
        other_half=_other_half(game),
        sellers=_sellers(game),
        extras=tuple(
            acta.ExtraValues(str(words.combination(name)), amount, completed["paid"][name])
            for name, amount in fixed.extras
        ),
        refunds=tuple(
            acta.RefundValues(given.till, given.cards, given.amount) for given in sold.refunds(game)
        ),
        carried=carried.of_games(game.session).get(game.number),
        voiding=acta_events.voiding(game, kept, zone),
        transfers=acta_events.transfers(game, zone),
        figure=acta_prizes.figure(game, drawn),
        shares=acta_prizes.shares(divided),
        counts=divided.counts,
        levels=_levels(game, jackpot),
        ball_set=game.ball_set.serial if game.ball_set else "",
        jackpot_reversed=game.accrual if game.void else 0,
    )


def _levels(game: Game, jackpot: Sequence[LevelValues]) -> tuple[LevelShareValues, ...]:
    """Give the jackpot's part level by level; nothing where there is one or none."""
    told = acta_jackpot.of_game(jackpot, game.number) if len(jackpot) > 1 else ()
    return tuple(LevelShareValues(*one) for one in told)


def _fixed(kept: dict[str, JournalEntry]) -> Prizes:
    """Give the prizes as they were set, nothing where the sale never closed."""
    closed = kept.get("sale_closed") or kept.get("second_half_opened")
    return prizes.load(closed.data["prizes"]) if closed else Prizes(0, 0, 0, 0, 0)


def _issues(game: Game) -> tuple[acta.IssueValues, ...]:
    runs = sold.runs(game)
    several = len({run.face for run in runs}) > 1
    return tuple(
        acta.IssueValues(
            letter=run.letter,
            identification=run.identification,
            first=run.first,
            last=run.last,
            cards=run.cards,
            face=run.face if several else None,
            missing=tuple(
                acta.WrittenOffValues(gone.first, gone.last, gone.reason, gone.witness)
                for gone in run.missing
            ),
        )
        for run in runs
    )


def _sellers(game: Game) -> tuple[acta.SellerValues, ...]:
    """Return who sold how much; of a half of double cards that half's part of the price (R15)."""
    if game.first_half_id:
        return ()
    halves = 2 if game.issue.double and game.gross == record.collected(game) else 1
    return tuple(
        acta.SellerValues(each.till, each.seller, each.cards, each.amount // halves)
        for each in sold.sellers(game)
    )


def _half(game: Game) -> int:
    """Tell which game of double cards it is, 0 of single ones (R15)."""
    if game.first_half_id:
        return 2
    return 1 if game.issue.double else 0


def _other_half(game: Game) -> int | None:
    if game.first_half:
        return game.first_half.number
    second = Game.objects.filter(first_half=game).first()
    return second.number if second else None


def _winners(game: Game, zone: ZoneInfo) -> tuple[acta.WinnerValues, ...]:
    # What a double card won in its first game may have been paid with the second (R45).
    both = Payment.objects.filter(Q(game=game) | Q(game__first_half=game)).order_by("-pk")
    paid = {(payment.issue_id, payment.card): payment for payment in both.select_related("game")}
    return tuple(
        _winner(prize, paid.get((prize.issue_id, prize.card)), zone)
        for prize in game.prizes.select_related("issue__series")
    )


def _winner(prize: Prize, payment: Payment | None, zone: ZoneInfo) -> acta.WinnerValues:
    """Return a winning card; one that nobody fetched the prize of was not paid in its session."""
    return acta.WinnerValues(
        combination=prize.combination,
        issue=str(prize.issue),
        card=prize.card,
        amount=prize.amount,
        tax=prize.tax,
        left_over=prize.left_over,
        paid_at=payment.at.astimezone(zone) if payment else None,
        paid_in=payment.game.number if payment and payment.game_id != prize.game_id else None,
    )


def _rejected(game: Game, zone: ZoneInfo) -> tuple[acta.RejectedValues, ...]:
    wrong = game.checks.filter(valid=False).select_related("entry").order_by("pk")
    return tuple(
        acta.RejectedValues(
            combination=check.combination,
            card=check.card,
            reason=claim_words.verdict(check.entry.data),
            at=check.at.astimezone(zone),
        )
        for check in wrong
    )


def name_of(entry: JournalEntry | None) -> str:
    """Give the name of whoever made an entry."""
    return entry.by.name if entry and entry.by else ""
