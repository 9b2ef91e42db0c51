"""Read what an acta says of one game, from its rows and its journal (R59, R61 b to i).

Balls with who confirmed them and what befell the draw; its voiding and cards handed on (R56, R57);
how prizes were divided and the figure played for (R7, R73); and the RNG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole
from bingo.rules import jackpot_account, jackpots, journal_json_and_chain, prize_distributions
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import Prizes
from bingo.rules.steps.drawing import BY_HAND, CAMERA, RNG
from draws import trade_words
from draws.cards import hall_patterns
from draws.cards import labels as cards_labels
from draws.claims import queries as claims_queries
from draws.games import queries as games_queries
from draws.games.progress import CAME, NOT_AWAITED
from draws.models import Game, Issue, Payment
from draws.prizes import services as prizes_services
from draws.record import journal_text
from draws.record.acta import session_values, values
from draws.sales import queries as sales_queries
from halls.journal import queries as journal_queries
from halls.models import JournalEntry, Session

SOURCES: Mapping[str, values.BallSource] = {RNG: "rng", BY_HAND: "hand", CAMERA: "camera"}
NOTED = (
    "draw_taken_over", "source_changed", "game_suspended", "game_resumed", "reading_dismissed", "camera_fault",
    "camera_restored", "sale_taken_back", "draw_resumed", "ball_recalled",
)  # fmt: skip


def name_of(entry: JournalEntry | None) -> str:
    """Return the name of whoever made an entry."""
    return entry.by.name if entry and entry.by else ""


def without_second_person(
    entry: JournalEntry, issues: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Say what an entry tells but for the second person, who has a column of their own."""
    data = {name: value for name, value in entry.data.items() if name != "witness"}
    alone = JournalEntry(hall=entry.hall, kind=entry.kind, data=data)
    return journal_text.describe_for_acta(alone, issues)


def list_entries(session: Session, *kinds: str, game: Game | None = None) -> list[JournalEntry]:
    """Return the entries of these kinds in a session, or in a game of it, as they were made."""
    found = JournalEntry.objects.filter(session=session, kind__in=kinds)
    if game is not None:
        found = found.filter(game=game.number)
    return list(found.select_related("by", "hall").order_by("number"))


def balls(game: Game, zone: ZoneInfo) -> tuple[values.BallValues, ...]:
    """Return the balls posted, hours in the hall's time zone."""
    # Of a ball that was recalled the later entry counts.
    announced = list_entries(game.session, "ball_announced", game=game)
    last = {entry.data["count"]: entry for entry in announced}
    witness = journal_queries.second_persons(game.session.hall, announced)
    return tuple(
        values.BallValues(
            order=ball.order,
            number=ball.number,
            source=SOURCES[ball.source],
            at=ball.at.astimezone(zone),
            confidence=ball.confidence,
            picture=ball.picture,
            automatic=bool(entry.data.get("automatic")),
            by=name_of(entry),
            witness=witness(entry),
            symbol=str(cards_labels.SYMBOL_NAMES.get(entry.data.get("symbol", ""), "")),
        )
        for ball, entry in ((ball, last[ball.order]) for ball in game.balls.all())
    )


def notes(game: Game, zone: ZoneInfo) -> tuple[values.DrawNoteValues, ...]:
    """Return faults, suspensions, changes of the source, dismissed readings and recalled balls, as they came."""
    issues = games_queries.several_issues(game)
    return tuple(
        values.DrawNoteValues(
            at=entry.at.astimezone(zone),
            text=f"{trade_words.kind(entry.kind)}: {journal_text.describe_for_acta(entry, issues)}",
            by=name_of(entry),
        )
        for entry in list_entries(game.session, *NOTED, game=game)
        # A ball that only came late befell nobody, nor did a draw that went on as it should.
        if entry.data.get("reason") not in (CAME, NOT_AWAITED)
        and (entry.kind != "draw_resumed" or "withdrawn" in entry.data)
    )


def voiding(
    game: Game, kept: Mapping[str, JournalEntry], zone: ZoneInfo
) -> values.VoidingValues | None:
    """Return when, by whom and of what a game was voided; `kept` has the game's entries by kind."""
    entry = kept.get("game_voided")
    if entry is None:
        return None
    return values.VoidingValues(
        at=entry.at.astimezone(zone),
        by=name_of(entry),
        cause=entry.data["cause"],
        held=entry.data.get("held"),
        witness=journal_queries.second_persons(game.session.hall, [entry])(entry),
    )


def occurrences(session: Session, zone: ZoneInfo) -> list[values.NoteValues]:
    """Return the voids of another cause that came after a ball, for the authorities (R55, R61 m)."""
    found = [entry for entry in list_entries(session, "game_voided") if "balls" in entry.data]
    witness = journal_queries.second_persons(session.hall, found)
    return [
        values.NoteValues(
            kind="occurrence",
            text=_occurred(entry, witness(entry)),
            at=entry.at.astimezone(zone),
            by=name_of(entry),
            game=entry.game,
        )
        for entry in found
    ]


def _occurred(entry: JournalEntry, witness: str) -> str:
    balls = entry.data["balls"]
    told = ngettext(
        "Game voided after its draw had begun (%(balls)s ball announced): %(reason)s",
        "Game voided after its draw had begun (%(balls)s balls announced): %(reason)s",
        balls,
    ) % {"balls": Whole(balls), "reason": entry.data["reason"]}
    return f"{told} · " + _("before %(witness)s") % {"witness": witness}


def transfers(game: Game, zone: ZoneInfo) -> tuple[values.TransferValues, ...]:
    """Return the cards of players who left, as they were handed on (R56)."""
    found = list_entries(game.session, "cards_transferred", game=game)
    issues = Issue.objects.select_related("series").in_bulk({one.data["issue"] for one in found})
    return tuple(
        values.TransferValues(
            at=entry.at.astimezone(zone),
            issue=str(issues[entry.data["issue"]]),
            first=entry.data["first"],
            last=entry.data["last"],
            player=entry.data["player"],
            to=entry.data["to"],
            by=name_of(entry),
        )
        for entry in found
    )


def winning_figure(game: Game) -> list[str] | None:
    """Return the rows of the figure that was the bingo, None where it was the whole card (R73)."""
    number = game.first_half.number if game.first_half else game.number
    opened = JournalEntry.objects.get(session=game.session_id, game=number, kind="game_opened")
    rows: list[str] | None = opened.data.get("pattern")
    return rows


def figure(game: Game, rows: Sequence[str] | None) -> values.FigureValues | None:
    """Return the figure with the name it has in the hall or in the gallery."""
    if not rows:
        return None
    return values.FigureValues(hall_patterns.figure_name(game.session.hall, rows), tuple(rows))


def distribution(game: Game, *, figure: bool) -> Distribution:
    """Return how the session's terms divide the prizes of such a game (R7)."""
    terms = game.session.state["terms"]
    return prize_distributions.chosen(
        [prize_distributions.load(one) for one in terms.get("distributions", ())],
        format=game.issue.series.format,
        figure=figure,
        otherwise=journal_json_and_chain.load(Shares, terms["shares"]),
    )


def shares(divided: Distribution) -> tuple[values.ShareValues, ...]:
    """Return each prize with its part of the sales: line, additional prizes, bingo."""
    told = [("line", divided.shares.line, 0)] if divided.shares.line else []
    told += [(one.prize, one.share, one.limit) for one in divided.shares.extras]
    told.append(("bingo", divided.shares.bingo, 0))
    return tuple(
        values.ShareValues(prize, str(trade_words.COMBINATIONS[prize]), share, limit)
        for prize, share, limit in told
    )


def randomness_values(
    game: Game, kept: Mapping[str, JournalEntry]
) -> values.RandomnessValues | None:
    """Return commitment, head and opening; `kept` has the game's entries by kind."""
    if game.commitment is None:
        return None
    opening = kept["entry_completed"].data.get("opening") or {"seed": "", "nonce": ""}
    announced = kept.get("draw_announced")
    return values.RandomnessValues(
        hall=game.session.hall.code,
        commitment=game.commitment,
        head=announced.digest if announced else "",
        seed=opening["seed"],
        nonce=opening["nonce"],
        drawn=game.balls.filter(source=RNG).count(),
    )


CHECK_CHARACTERS = 4
JACKPOTS = tuple(jackpots.prize(level) for level in range(jackpots.MOST_LEVELS))


def game_values(
    game: Game, zone: ZoneInfo, *, jackpot: Sequence[session_values.LevelValues] = ()
) -> values.GameValues:
    """Return a game's values, hours in the hall's time zone; words in the active language.

    `jackpot` has the levels of the session.
    """
    journal = JournalEntry.objects.filter(session=game.session_id, game=game.number)
    kept = {entry.kind: entry for entry in journal.select_related("by").order_by("number")}
    completed = kept["entry_completed"].data
    fixed = _fixed(kept)
    drawn = winning_figure(game)
    divided = distribution(game, figure=bool(drawn))
    return values.GameValues(
        number=game.number,
        format=str(game.issue.series.format),
        issues=_issues(game),
        face_value=game.face,
        cards_sold=game.cards,
        gross=games_queries.collected(game),
        fund=fixed.fund,
        line=game.line,
        bingo=game.bingo,
        jackpot_accrual=0 if game.void else game.accrual,
        jackpot_awarded=sum(completed["paid"].get(prize, 0) for prize in JACKPOTS),
        tax_withheld=completed["tax"],
        sales_tax=completed.get("sales_tax", 0),
        paid_line=completed["paid"]["line"],
        paid_bingo=completed["paid"]["bingo"],
        refunded=completed["refunded"],
        balls=balls(game, zone),
        draw=notes(game, zone),
        winners=_winners(game, zone),
        rejected=_rejected(game, zone),
        started_at=game.opened_at.astimezone(zone),
        ended_at=game.ended_at.astimezone(zone) if game.ended_at else None,
        voided=game.void or None,
        caller=name_of(kept.get("draw_announced") or kept.get("sale_announced")),
        table_chief=name_of(kept["entry_completed"]),
        check=kept["entry_completed"].digest[:CHECK_CHARACTERS].upper(),
        half=_half(game),
        randomness=randomness_values(game, kept),
        other_half=_other_half(game),
        sellers=_sellers(game),
        extras=tuple(
            values.ExtraValues(str(trade_words.COMBINATIONS[name]), amount, completed["paid"][name])
            for name, amount in fixed.extras
        ),
        refunds=tuple(
            values.RefundValues(given.till, given.cards, given.amount)
            for given in sales_queries.refunds(game)
        ),
        carried=prizes_services.of_games(game.session).get(game.number),
        voiding=voiding(game, kept, zone),
        transfers=transfers(game, zone),
        figure=figure(game, drawn),
        shares=shares(divided),
        counts=divided.counts,
        levels=_levels(game, jackpot),
        ball_set=game.ball_set.serial if game.ball_set else "",
        jackpot_reversed=-_moved(game, jackpot, jackpot_account.REVERSED),
    )


def _levels(
    game: Game, jackpot: Sequence[session_values.LevelValues]
) -> tuple[values.LevelShareValues, ...]:
    """Return the jackpot's part level by level; nothing where there is one or none.

    What a game added is without what its voiding took back.
    """
    linked = {one.level for one in jackpot if one.link}
    # What the hall itself held of a linked level is moved between games alone, and so is a link
    # that is not played for: nothing wins it.
    played = [
        one
        for one in jackpot
        if (one.limits or one.within is not None if one.link else one.level not in linked)
    ]
    if len(played) < 2:
        return ()
    return tuple(
        values.LevelShareValues(
            one.level,
            one.name,
            0 if game.void else _moved(game, [one], jackpot_account.ACCRUED),
            -_moved(game, [one], jackpot_account.AWARDED),
        )
        for one in played
    )


def _moved(game: Game, jackpot: Sequence[session_values.LevelValues], kind: str) -> int:
    """Return the minor units that a game moved in these levels, by a kind of movement."""
    moved = (one for level in jackpot for one in level.movements)
    return sum(one.amount for one in moved if (one.game, one.kind) == (game.number, kind))


def _fixed(kept: dict[str, JournalEntry]) -> Prizes:
    """Return the prizes as they were set, nothing where the sale never closed."""
    closed = kept.get("sale_closed") or kept.get("second_half_opened")
    if closed is None:
        return Prizes(0, 0, 0, 0, 0)
    return journal_json_and_chain.load(Prizes, closed.data["prizes"])


def _issues(game: Game) -> tuple[values.IssueValues, ...]:
    runs = sales_queries.runs(game)
    several = len({run.face for run in runs}) > 1
    return tuple(
        values.IssueValues(
            letter=run.letter,
            identification=run.identification,
            first=run.first,
            last=run.last,
            cards=run.cards,
            face=run.face if several else None,
            missing=tuple(
                values.WrittenOffValues(gone.first, gone.last, gone.reason, gone.witness)
                for gone in run.missing
            ),
        )
        for run in runs
    )


def _sellers(game: Game) -> tuple[values.SellerValues, ...]:
    """Return who sold how much; of a half of double cards that half's part of the price (R15)."""
    if game.first_half_id:
        return ()
    halves = 2 if game.issue.double and game.gross == games_queries.collected(game) else 1
    return tuple(
        values.SellerValues(each.till, each.seller, each.cards, each.amount // halves)
        for each in sales_queries.sellers(game)
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


def _winners(game: Game, zone: ZoneInfo) -> tuple[values.WinnerValues, ...]:
    """Return the winning cards; one that nobody fetched the prize of was not paid in its session."""
    prizes = games_queries.with_payment(game.prizes.select_related("issue__series"))
    paid = Payment.objects.select_related("game").in_bulk([one.paid_by for one in prizes])
    won = [(prize, paid.get(prize.paid_by)) for prize in prizes]
    return tuple(
        values.WinnerValues(
            combination=prize.combination,
            issue=str(prize.issue),
            card=prize.card,
            amount=prize.amount,
            tax=prize.tax,
            left_over=prize.left_over,
            paid_at=payment.at.astimezone(zone) if payment else None,
            paid_in=payment.game.number if payment and payment.game_id != game.pk else None,
        )
        for prize, payment in won
    )


def _rejected(game: Game, zone: ZoneInfo) -> tuple[values.RejectedValues, ...]:
    wrong = game.checks.filter(valid=False).select_related("entry", "issue__series")
    return tuple(
        values.RejectedValues(
            combination=check.combination,
            card=check.card,
            reason=claims_queries.verdict(check.entry.data),
            at=check.at.astimezone(zone),
            issue=str(check.issue),
        )
        for check in wrong.order_by("pk")
    )
