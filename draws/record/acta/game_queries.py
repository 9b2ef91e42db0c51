"""A game's balls with who confirmed them, and what befell its draw, read from the journal.

What an acta tells of a game besides its figures: its voiding, cards handed on (R56, R57).

What an acta tells of how a game's prizes were divided, and of the figure played for (R7, R73).

What the acta says of a game's RNG, read from the journal.

What an acta tells of the jackpot's money: each level from the session before to this one's close.

Everything an acta says of one game, read from its rows and its journal (R59, R61 b to i).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.rules import (
    distributions,
    formats,
    jackpot_account,
    jackpots,
    money,
    patterns,
    prizes,
    session_opening,
)
from bingo.rules.distributions import Distribution
from bingo.rules.game import Fact
from bingo.rules.jackpot_account import JackpotAccount, LevelMovement
from bingo.rules.jackpots import Jackpot
from bingo.rules.prizes import Prizes
from bingo.rules.steps.drawing import BY_HAND, CAMERA, RNG
from draws import terms
from draws.authorisations import words as authorisations_words
from draws.cards import words as cards_words
from draws.claims import queries as claims_queries
from draws.games import queries as games_queries
from draws.games.balls import CAME, NOT_AWAITED
from draws.jackpots import queries as jackpots_queries
from draws.jackpots.queries import KINDS
from draws.models import Ball, Game, Issue, Pattern, Payment, Prize
from draws.prizes import services as prizes_services
from draws.record import journal_text
from draws.record.acta import values
from draws.record.acta.session_values import LevelValues, LimitValues, MovementValues
from draws.record.acta.values import (
    BallSource,
    BallValues,
    DrawNoteValues,
    FigureValues,
    LevelShareValues,
    NoteValues,
    RandomnessValues,
    ShareValues,
    TransferValues,
    VoidingValues,
)
from draws.sales import queries as sales_queries
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import JournalEntry, Session

SOURCES: Mapping[str, BallSource] = MappingProxyType(
    {RNG: "rng", BY_HAND: "hand", CAMERA: "camera"}
)
NOTED = (
    "draw_taken_over", "source_changed", "game_suspended", "game_resumed", "reading_dismissed", "camera_fault",
    "camera_restored",
)  # fmt: skip


def balls(game: Game, zone: ZoneInfo) -> tuple[BallValues, ...]:
    """Return the balls posted, hours in the hall's time zone."""
    entries = _of(game, ["ball_announced"])
    # Of a ball that was recalled the later entry counts.
    last = {entry.data["count"]: entry for entry in entries}
    named = (entry.data.get("witness") for entry in last.values())
    people = journal_queries.names(game.session.hall, filter(None, named))
    return tuple(_ball(ball, last[ball.order], people, zone) for ball in game.balls.all())


def _ball(ball: Ball, entry: JournalEntry, people: Mapping[str, str], zone: ZoneInfo) -> BallValues:
    witness = entry.data.get("witness", "")
    return BallValues(
        order=ball.order,
        number=ball.number,
        source=SOURCES[ball.source],
        at=ball.at.astimezone(zone),
        confidence=ball.confidence,
        picture=ball.picture,
        automatic=bool(entry.data.get("automatic")),
        by=entry.by.name if entry.by else "",
        witness=people.get(witness, witness),
        symbol=str(cards_words.SYMBOL_NAMES.get(entry.data.get("symbol", ""), "")),
    )


def notes(game: Game, zone: ZoneInfo) -> tuple[DrawNoteValues, ...]:
    """Return faults, suspensions, changes of the source and dismissed readings, as they came."""
    return tuple(
        DrawNoteValues(
            at=entry.at.astimezone(zone),
            text=f"{terms.kind(entry.kind)}: {journal_text.describe_entry(entry)}",
            by=entry.by.name if entry.by else "",
        )
        for entry in _of(game, NOTED)
        # A ball that only came late befell nobody.
        if entry.data.get("reason") not in (CAME, NOT_AWAITED)
    )


def _of(game: Game, kinds: Iterable[str]) -> list[JournalEntry]:
    found = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind__in=list(kinds)
    )
    return list(found.select_related("by", "hall").order_by("number"))


def voiding(game: Game, kept: Mapping[str, JournalEntry], zone: ZoneInfo) -> VoidingValues | None:
    """Return when, by whom and of what a game was voided; `kept` has the game's entries by kind."""
    entry = kept.get("game_voided")
    if entry is None:
        return None
    witness = entry.data.get("witness", "")
    people = journal_queries.names(game.session.hall, [witness]) if witness else {}
    return VoidingValues(
        at=entry.at.astimezone(zone),
        by=entry.by.name if entry.by else "",
        cause=entry.data["cause"],
        held=entry.data.get("held"),
        witness=people.get(witness, witness),
    )


def occurrences(session: Session, zone: ZoneInfo) -> list[NoteValues]:
    """Return the voids of another cause that came after a ball, for the authorities (R55, R61 m)."""
    voided = JournalEntry.objects.filter(session=session, kind="game_voided")
    found = list(voided.filter(data__has_key="balls").select_related("by").order_by("number"))
    people = (
        journal_queries.names(session.hall, [one.data["witness"] for one in found]) if found else {}
    )
    return [
        NoteValues(
            kind="occurrence",
            text=_occurred(entry, people.get(entry.data["witness"], entry.data["witness"])),
            at=entry.at.astimezone(zone),
            by=entry.by.name if entry.by else "",
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
    ) % {"balls": balls, "reason": entry.data["reason"]}
    return f"{told} · " + _("before %(witness)s") % {"witness": witness}


def transfers(game: Game, zone: ZoneInfo) -> tuple[TransferValues, ...]:
    """Return the cards of players who left, as they were handed on (R56)."""
    entries = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="cards_transferred"
    )
    found = list(entries.select_related("by").order_by("number"))
    keys = {entry.data["issue"] for entry in found}
    issues = Issue.objects.select_related("series").in_bulk(keys) if keys else {}
    return tuple(
        TransferValues(
            at=entry.at.astimezone(zone),
            issue=str(issues[entry.data["issue"]]),
            first=entry.data["first"],
            last=entry.data["last"],
            player=entry.data["player"],
            to=entry.data["to"],
            by=entry.by.name if entry.by else "",
        )
        for entry in found
    )


def winning_figure(game: Game) -> list[str] | None:
    """Return the rows of the figure that was the bingo, None where it was the whole card (R73)."""
    number = game.first_half.number if game.first_half else game.number
    opened = JournalEntry.objects.get(session=game.session_id, game=number, kind="game_opened")
    rows: list[str] | None = opened.data.get("pattern")
    return rows


def figure(game: Game, rows: Sequence[str] | None) -> FigureValues | None:
    """Return the figure with the name it has in the hall or in the gallery."""
    return FigureValues(_name(game, rows), tuple(rows)) if rows else None


def _name(game: Game, rows: Sequence[str]) -> str:
    cells = patterns.read(rows)
    own = Pattern.objects.filter(hall=game.session.hall_id, drawing="/".join(patterns.draw(cells)))
    if known := own.first():
        return known.name
    named = [one.code for one in patterns.GALLERY if one.cells == cells]
    return str(cards_words.PATTERN_NAMES[named[0]]) if named else ""


def distribution(game: Game, *, figure: bool) -> Distribution:
    """Return how the session's terms divide the prizes of such a game (R7)."""
    terms = game.session.state["terms"]
    return distributions.chosen(
        [distributions.load(one) for one in terms.get("distributions", ())],
        format=game.issue.series.format,
        figure=figure,
        otherwise=money.load_share(terms["shares"]),
    )


def shares(divided: Distribution) -> tuple[ShareValues, ...]:
    """Return each prize with its part of the sales: line, additional prizes, bingo."""
    told = [("line", divided.shares.line, 0)] if divided.shares.line else []
    told += [(one.prize, one.share, one.limit) for one in divided.shares.extras]
    told.append(("bingo", divided.shares.bingo, 0))
    return tuple(
        ShareValues(prize, str(terms.combination(prize)), share, limit)
        for prize, share, limit in told
    )


def randomness_values(game: Game, kept: Mapping[str, JournalEntry]) -> RandomnessValues | None:
    """Return commitment, head and opening; `kept` has the game's entries by kind."""
    if game.commitment is None:
        return None
    opening = kept["entry_completed"].data.get("opening") or {"seed": "", "nonce": ""}
    announced = kept.get("draw_announced")
    return RandomnessValues(
        hall=game.session.hall.code,
        commitment=game.commitment,
        head=announced.digest if announced else "",
        seed=opening["seed"],
        nonce=opening["nonce"],
        drawn=game.balls.filter(source=RNG).count(),
    )


Line = tuple[JournalEntry, LevelMovement]

APART = ("funded", "accrued", "reversed", "awarded", "restored")
SUMMED = {jackpot_account.FUNDED: "funded"} | {kind: kind for kind in APART if kind != "funded"}


def jackpot_values(session: Session, zone: ZoneInfo) -> tuple[LevelValues, ...]:
    """Return every level that was played for or moved, amounts in minor units; none without any."""
    entries = list(equipment_queries.told_in(session, KINDS))
    opening = next(
        one for one in entries if one.kind == "session_opened" and one.session == session
    )
    played = session_opening.begin(Fact("session_opened", opening.data)).jackpots
    account = JackpotAccount(balances=_before(entries, [one.balance for one in played]))
    start = list(account.balances)
    lines = [
        (one, moved) for one in entries for moved in account.movements(Fact(one.kind, one.data))
    ]
    count = max(len(played), *(moved.level + 1 for _entry, moved in lines), 0)
    return tuple(
        _level(
            level,
            played[level] if level < len(played) else None,
            start[level] if level < len(start) else 0,
            [line for line in lines if line[1].level == level],
            zone,
        )
        for level in range(count)
    )


def _before(entries: Sequence[JournalEntry], opened: Sequence[int]) -> list[int]:
    """Return what each level held when the session before was closed.

    The session opens with what was moved since then already done; a level that it does not play
    for is told by its own first movement.
    """
    before = list(opened)
    seen = set(range(len(opened)))
    for level, entry in _moved(entries):
        before += [0] * (level + 1 - len(before))
        if level in range(len(opened)):
            if not _in_session(entries, entry):
                before[level] -= _amount(entry)
        elif level not in seen:
            before[level] = jackpot_account.before(entry.data)
            seen.add(level)
    return before


def _moved(entries: Sequence[JournalEntry]) -> Iterator[tuple[int, JournalEntry]]:
    for entry in entries:
        if entry.kind in (
            jackpot_account.FUNDED,
            jackpot_account.RECEIVED,
            jackpot_account.MOVED,
            jackpot_account.ENDED,
        ):
            yield entry.data["level"], entry


def _in_session(entries: Sequence[JournalEntry], entry: JournalEntry) -> bool:
    opened = next(one.number for one in entries if one.kind == "session_opened")
    return entry.number > opened


def _amount(entry: JournalEntry) -> int:
    amount = int(entry.data["amount"])
    return amount if entry.kind in (jackpot_account.FUNDED, jackpot_account.RECEIVED) else -amount


def _level(
    level: int, terms: Jackpot | None, opened: int, lines: Sequence[Line], zone: ZoneInfo
) -> LevelValues:
    sums = dict.fromkeys((*APART, "other"), 0)
    for _entry, moved in lines:
        sums[SUMMED.get(moved.kind, "other")] += moved.amount
    told = LevelValues(
        level=level,
        name=jackpots_queries.jackpot_name(level),
        within=terms.within(formats.NINETY.highest) if terms and not terms.limits else None,
        opened=opened,
        closed=opened + sum(sums.values()),
        movements=tuple(_movement(entry, moved, zone) for entry, moved in lines),
        limits=_limits(terms) if terms else (),
        **sums,
    )
    # What goes out is told without a sign: its name says it.
    return replace(told, reversed=-told.reversed, awarded=-told.awarded)


def _limits(level: Jackpot) -> tuple[LimitValues, ...]:
    return tuple(
        LimitValues(
            one.format,
            authorisations_words.limit_named(one.format, one.figure),
            level.raised(one),
            one.figure,
        )
        for one in level.limits
    )


def _movement(entry: JournalEntry, moved: LevelMovement, zone: ZoneInfo) -> MovementValues:
    return MovementValues(
        at=entry.at.astimezone(zone),
        game=entry.game,
        kind=moved.kind,
        what=str(jackpots_queries.MOVEMENTS[moved.kind]),
        amount=moved.amount,
        balance=moved.balance,
        reference=entry.data.get("reference", ""),
    )


def jackpot_of_game(
    levels: Sequence[LevelValues], game: int
) -> Iterator[tuple[int, str, int, int]]:
    """Return level, name, what a game added, less what a void took back, and what was won of it."""
    for one in levels:
        of_it = [moved for moved in one.movements if moved.game == game]
        added = sum(
            each.amount
            for each in of_it
            if each.kind in (jackpot_account.ACCRUED, jackpot_account.REVERSED)
        )
        won = -sum(each.amount for each in of_it if each.kind == jackpot_account.AWARDED)
        yield one.level, one.name, added, won


CHECK_CHARACTERS = 4
JACKPOTS = tuple(jackpots.prize(level) for level in range(jackpots.MOST_LEVELS))


def game_values(
    game: Game, zone: ZoneInfo, *, jackpot: Sequence[LevelValues] = ()
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
            values.ExtraValues(str(terms.combination(name)), amount, completed["paid"][name])
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
        jackpot_reversed=game.accrual if game.void else 0,
    )


def _levels(game: Game, jackpot: Sequence[LevelValues]) -> tuple[LevelShareValues, ...]:
    """Return the jackpot's part level by level; nothing where there is one or none."""
    told = jackpot_of_game(jackpot, game.number) if len(jackpot) > 1 else ()
    return tuple(LevelShareValues(*one) for one in told)


def _fixed(kept: dict[str, JournalEntry]) -> Prizes:
    """Return the prizes as they were set, nothing where the sale never closed."""
    closed = kept.get("sale_closed") or kept.get("second_half_opened")
    return prizes.load(closed.data["prizes"]) if closed else Prizes(0, 0, 0, 0, 0)


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
    # What a double card won in its first game may have been paid with the second (R45).
    both = Payment.objects.filter(Q(game=game) | Q(game__first_half=game)).order_by("-pk")
    paid = {(payment.issue_id, payment.card): payment for payment in both.select_related("game")}
    return tuple(
        _winner(prize, paid.get((prize.issue_id, prize.card)), zone)
        for prize in game.prizes.select_related("issue__series")
    )


def _winner(prize: Prize, payment: Payment | None, zone: ZoneInfo) -> values.WinnerValues:
    """Return a winning card; one that nobody fetched the prize of was not paid in its session."""
    return values.WinnerValues(
        combination=prize.combination,
        issue=str(prize.issue),
        card=prize.card,
        amount=prize.amount,
        tax=prize.tax,
        left_over=prize.left_over,
        paid_at=payment.at.astimezone(zone) if payment else None,
        paid_in=payment.game.number if payment and payment.game_id != prize.game_id else None,
    )


def _rejected(game: Game, zone: ZoneInfo) -> tuple[values.RejectedValues, ...]:
    wrong = game.checks.filter(valid=False).select_related("entry").order_by("pk")
    return tuple(
        values.RejectedValues(
            combination=check.combination,
            card=check.card,
            reason=claims_queries.verdict(check.entry.data),
            at=check.at.astimezone(zone),
        )
        for check in wrong
    )


def name_of(entry: JournalEntry | None) -> str:
    """Return the name of whoever made an entry."""
    return entry.by.name if entry and entry.by else ""
