"""Read games and sessions: how a hall stands now, what was collected, what wins, what was checked.

`get_hall_state` gives every screen the hall's session, its game, and what the rules know of it.
Winning is told in words and drawn on a small card (R5, R67, R73, R75, R84). The chief is told when
a card comes that was looked at before (R43). Where players are named, the cards of a game are
theirs by its sales and what was handed on.

`since` says from when a hall has lived so many days: the clock alone is not believed when something
is to be destroyed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    PositiveBigIntegerField,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.utils.translation import get_language

from bingo.rules import formats, jackpots, journal_json_and_chain, session_state
from bingo.rules import sale_order as rules_sales
from bingo.rules.formats import Cell, Format
from bingo.rules.jackpots import Jackpot
from bingo.rules.patterns import (
    BINGO,
    COLUMN,
    COLUMNS,
    CORNERS,
    DIAGONALS,
    LINE,
    ROWS,
    Cells,
    Combination,
    columns,
    diagonals,
    shape_corners,
    shape_rows,
    whole,
)
from bingo.rules.prize_distributions import PRIMA
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import Prizes
from bingo.rules.rulebooks import announcement_words
from bingo.rules.session_state import GameState, SessionState, won
from bingo.rules.unclaimed import PRIZE
from draws import trade_words
from draws.cards import hall_patterns
from draws.models import ClaimCheck, Game, Issue, Payment, Prize, Sale, UnclaimedItem
from halls import jackpots as halls_jackpots
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Session

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


def games_of(session: Session) -> QuerySet[Game]:
    """Return a session's games with their money."""
    found = session.games.select_related("issue__series", "first_half")
    found = found.prefetch_related("further__series")
    return found.annotate(ball_count=Count("balls"), collected=collected_of()).order_by("number")


def several_issues(game: Game) -> dict[int, str]:
    """Return the names of a game's issues by their keys, nothing where it has one alone."""
    issues = [game.issue, *game.further.all()]
    return {one.pk: str(one) for one in issues} if len(issues) > 1 else {}


def collected_of() -> Case:
    """Return what a game's cards brought; a void first game of double cards keeps both halves (R15)."""
    both = Q(issue__double=True, first_half__isnull=True, void__gt="")
    return Case(
        When(both, then=F("gross") * 2), default=F("gross"), output_field=PositiveBigIntegerField()
    )


def collected(game: Game) -> int:
    """Return the same of one game, in minor units (R61 e)."""
    both = game.issue.double and game.first_half_id is None and game.void
    return game.gross * 2 if both else game.gross


SETS_PRIZES = ("sale_closed", "second_half_opened")


def amounts_of(games: Collection[Game]) -> dict[int, dict[str, int]]:
    """Return what each prize of these games of one session was worth, by their numbers.

    In minor units, as they are said; nothing of a game that is void or whose sale never closed.
    """
    told = JournalEntry.objects.filter(
        session__in={one.session_id for one in games}, kind__in=SETS_PRIZES,
        game__in=[one.number for one in games if not one.void],
    )  # fmt: skip
    return {
        number: _amounts(journal_json_and_chain.load(Prizes, fixed))
        for number, fixed in told.values_list("game", "data__prizes")
        if number is not None
    }


def _amounts(fixed: Prizes) -> dict[str, int]:
    """Return prizes as `GameState.amounts` has them: a figure's game has no line."""
    line = {LINE: fixed.line} if fixed.line else {}
    extras = dict(fixed.extras)
    last = {PRIMA: extras.pop(PRIMA)} if PRIMA in extras else {}
    return {**line, **extras, BINGO: fixed.bingo, **last}


def details(game: Game) -> dict[str, Any]:
    """Return everything recorded of one game."""
    entries = JournalEntry.objects.filter(session=game.session, game=game.number)
    return {
        "balls": game.balls.all(),
        "ranges": ranges(game),
        "sales": sold_in(game).select_related("issue__series", "shift__till", "seller"),
        "checks": game.checks.select_related("issue__series", "entry").order_by("pk"),
        "prizes": game.prizes.select_related("issue__series"),
        "amounts": amounts_of([game]).get(game.number, {}),
        "payments": game.payments.select_related("issue__series", "shift__till").order_by("pk"),
        # What double cards won in this game may have been paid with the next (R45).
        "paid_later": _paid_later(game),
        "refunded": game.refunds.aggregate(n=Sum("amount"))["n"] or 0,
        "entries": entries.aggregate(first=Min("number"), last=Max("number")),
    }


def _paid_later(game: Game) -> QuerySet[Payment]:
    prizes = with_payment(game.prizes.all()).order_by()
    paid = Payment.objects.filter(pk__in=prizes.values("paid_by"))
    return paid.exclude(game=game).select_related("game", "shift__till").order_by("pk")


class PaidBy(TypedDict):
    """What `with_payment` adds to a prize: the key of the payment that paid it, None where none did."""

    paid_by: int | None


PaidPrize: TypeAlias = "WithAnnotations[Prize, PaidBy]"


def with_payment(prizes: QuerySet[Prize]) -> QuerySet[PaidPrize]:
    """Return prizes with the payment that paid them.

    What a double card won in its first game is paid with its second, unless it was paid or set
    aside in the first (R45), as `bingo.rules.double_cards.second_half_of` carries it.
    """
    of_card = Payment.objects.filter(issue=OuterRef("issue"), card=OuterRef("card"))
    here = of_card.filter(game=OuterRef("game")).values("pk")
    with_second = of_card.filter(game__first_half=OuterRef("game")).values("pk")
    aside = UnclaimedItem.objects.filter(
        game=OuterRef("game"), owed=PRIZE, issue=OuterRef("issue"), first=OuterRef("card")
    )
    paid_by = Case(
        When(Exists(here), then=Subquery(here)),
        When(~Exists(aside), then=Subquery(with_second)),
    )
    return prizes.annotate(paid_by=paid_by)


def sold_in(game: Game) -> QuerySet[Sale]:
    """Return the sales of a game; the second one of double cards has those of the first (R15)."""
    return Sale.objects.filter(game=game.first_half or game).order_by("pk")


def ranges(game: Game) -> list[Any]:
    """Return the unbroken run sold of each issue as a mapping, the first issue first (R40)."""
    sold = (
        sold_in(game)
        .order_by()
        .values("issue", "issue__face", "issue__series__letter", "issue__identification")
    )
    counted = sold.annotate(cards=Sum(F("last") - F("first") + 1), begun=Min("pk"))
    return list(counted.annotate(first=Min("first"), last=Max("last")).order_by("begun"))


# More than so long from one moment to the next of a hall's sessions counts as so long: a clock
# that jumps ahead is seen once, a life of sessions is not.
LONGEST_GAP = timedelta(days=3)


def since(hall: Hall, *, days: int, at: datetime) -> datetime | None:
    """Return the moment since which a hall has lived so many days; None where it has not yet."""
    left, later = timedelta(days=days), at
    for moment in _moments(hall, at):
        gap = min(later - moment, LONGEST_GAP)
        if gap >= left:
            return later - left
        left, later = left - gap, moment
    return later - left if left <= LONGEST_GAP else None


def _moments(hall: Hall, at: datetime) -> Iterator[datetime]:
    """Return when the hall's sessions were closed and opened until then, the newest first."""
    held = hall.sessions.order_by("-number").values_list("closed_at", "opened_at")
    for session in held.iterator(chunk_size=100):
        yield from (moment for moment in session if moment is not None and moment <= at)


def first_of_another(game: Game, issue: Issue, first: int, last: int, *, player: str) -> int | None:
    """Return the lowest sold card of first..last that is not a player's own, None where all are.

    Double cards are sold in their first game, and may be handed on in both (R15). Cards that were
    sold to nobody by name are nobody's own; unsold ones are not looked at.
    """
    sales = Sale.objects.filter(game=game.first_half_id or game.pk, issue=issue).order_by("first")
    numbers = [game.number - 1, game.number] if game.first_half_id else [game.number]
    handed = JournalEntry.objects.filter(
        session=game.session, game__in=numbers, kind="cards_transferred", data__issue=issue.pk
    )
    return rules_sales.first_of_another(
        (first, last),
        player=player,
        sold=[((sale.first, sale.last), sale.player) for sale in sales],
        handed=[
            ((data["first"], data["last"]), data["to"])
            for data in handed.order_by("number").values_list("data", flat=True)
        ],
    )


def check_before(game: Game, entry: JournalEntry) -> ClaimCheck | None:
    """Return the last check of the same card for the same prize before this one, in this game."""
    data = entry.data
    same = ClaimCheck.objects.filter(
        game=game, combination=data["combination"], issue=data["issue"], card=data["card"]
    )
    return same.filter(entry__number__lt=entry.number).select_related("entry").last()


def looked_at(session: Session, game: int) -> JournalEntry | None:
    """Return the last card checked in a game since somebody last called, until the window closes."""
    of_game = JournalEntry.objects.filter(session=session, game=game)
    last = of_game.filter(kind__in=["claim_called", "claim_checked", "window_closed"]).last()
    return last if last and last.kind == "claim_checked" else None


SHAPES = {ROWS: shape_rows, COLUMNS: columns, DIAGONALS: diagonals}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A small card of `rows` by `columns` cells: `cells` to be covered, `bars` from cell to cell.

    Cells are (row, column) from 0. Any one of the bars wins; the cells win all together.
    """

    rows: int
    columns: int
    bars: tuple[tuple[Cell, Cell], ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Winning:
    """What wins a prize: `label` names the prize, `text` says what wins it, without a stop."""

    prize: str
    label: str
    text: str
    drawings: tuple[Drawing, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as the board takes it."""
        return {
            "prize": self.prize,
            "text": self.text,
            "drawings": [asdict(one) for one in self.drawings],
        }


def winning(game: GameState, *, figure: str = "", language: str = "") -> tuple[Winning, ...]:
    """Return what wins each prize that players call for, in the game's order.

    `figure` is what its figure is called (R73 b), empty without a name; `language` is by default
    the reader's.
    """
    spoken = language or (get_language() or "pt")[:2]
    found = _winning(game.format, game.shares, game.counts, game.pattern, figure, spoken)
    return tuple(
        Winning(prize, str(trade_words.COMBINATIONS[prize]), text, drawings)
        for prize, text, drawings in found
    )


@lru_cache(maxsize=256)
def _winning(
    format: int,
    shares: Shares,
    counts: tuple[str, ...],
    pattern: tuple[str, ...],
    figure: str,
    language: str,
) -> tuple[tuple[str, str, tuple[Drawing, ...]], ...]:
    """Return (prize, what wins it in words, drawn) of games that are played so."""
    kind, said = formats.get_format(format), announcement_words.WINNING[language]
    texts = {
        BINGO: (figure or said.figure) if pattern else said.whole,
        COLUMN: said.column,
        CORNERS: said.corners,
    }
    texts |= (
        {LINE: announcement_words.line_in_words(kind, counts, language=language)} if counts else {}
    )
    return tuple(
        (one.name, texts[one.name], _drawings(kind, counts, one, pattern))
        for one in won(format, shares, counts, pattern)
    )


def _drawings(
    format: Format, counts: tuple[str, ...], prize: Combination, pattern: tuple[str, ...]
) -> tuple[Drawing, ...]:
    if prize.name == LINE:
        return tuple(_barred(format, SHAPES[kind](format)) for kind in SHAPES if kind in counts)
    if prize.name == COLUMN:
        return (_barred(format, columns(format)),)
    if prize.name == CORNERS:
        return (_filled(format, shape_corners(format)),)
    return (_filled(format, prize.ways[0] if pattern else whole(format)),)


def _barred(format: Format, ways: tuple[Cells, ...]) -> Drawing:
    """Draw each way, whose cells lie on one straight line, from its first cell to its last."""
    return Drawing(format.rows, format.columns, bars=tuple((min(way), max(way)) for way in ways))


def _filled(format: Format, cells: Cells) -> Drawing:
    return Drawing(format.rows, format.columns, cells=tuple(sorted(cells)))


@dataclass(frozen=True, slots=True)
class HallState:
    """A hall as it stands; `game` and `known` are the open game or the session's last.

    `number` grows with the hall's journal and with the links that it takes part in. `linked` is
    what a bingo here wins now of each link, by its code, in minor units, where one is played for.
    """

    hall: Hall
    number: int
    session: Session | None
    state: SessionState | None
    game: Game | None
    linked: Mapping[str, int] = field(default_factory=dict)

    @property
    def game_state(self) -> GameState | None:
        """What the rules know of the game, with what a linked jackpot holds for its players."""
        game = self.state.game if self.state else None
        return with_linked(game, self.linked) if game else None

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Every level that the session plays for, with what a linked one holds for its players."""
        return _with_worth(self.state.jackpots, self.linked) if self.state else ()

    @property
    def phase(self) -> str:
        """The game's phase, or none."""
        return self.game_state.phase.value if self.game_state else "none"

    @property
    def figure(self) -> str:
        """What the figure that the game is played for is called, empty where it has no name."""
        pattern = self.game_state.pattern if self.game_state else ()
        return hall_patterns.figure_name(self.hall, pattern) if pattern else ""

    @property
    def winning(self) -> tuple[Winning, ...]:
        """What wins each prize of the game, in the reader's language (R67, R75, R84)."""
        return winning(self.game_state, figure=self.figure) if self.game_state else ()


def with_linked(game: GameState, linked: Mapping[str, int]) -> GameState:
    """Return a game with what its linked jackpot holds for its players, by the link's code."""
    if jackpots.linked(game.jackpots) is None:
        return game
    first, *others = _with_worth(game.jackpots, linked)
    return replace(game, jackpot=first, levels=tuple(others))


def _with_worth(levels: Sequence[Jackpot], linked: Mapping[str, int]) -> tuple[Jackpot, ...]:
    return tuple(
        replace(one, balance=linked.get(one.link, 0)) if one.link else one for one in levels
    )


def get_hall_state(hall_code: str) -> HallState:
    """Read a hall as it stands. Raises Hall.DoesNotExist.

    The number is read first: what is shown may be newer than its number, never older.
    """
    hall = Hall.objects.annotate(moved=halls_jackpots.HEADS).get(code=hall_code)
    number = hall.head_number + hall.moved
    games = Game.objects.filter(session__hall=hall, session__closed_at__isnull=True)
    game = (
        games.select_related(
            "issue__series", "first_half", "session__hall", "session__authorisation"
        )
        .order_by("number")
        .last()
    )
    session = game.session if game else journal_queries.open_session(hall)
    if session is None:
        return HallState(hall, number, None, None, None)
    state = session_state.load(session.state)
    linked = halls_jackpots.list_worth(hall) if state.is_linked else {}
    return HallState(hall, number, session, state, game, linked)


def last_check(standing: HallState) -> JournalEntry | None:
    """Return the last card checked since somebody last called, while the draw stands still."""
    if standing.session is None or standing.phase not in ("stopped", "window"):
        return None
    return looked_at(standing.session, standing.state.games if standing.state else 0)


def suspension(standing: HallState) -> JournalEntry | None:
    """Return the entry by which the game is suspended now; its time begins the 15 minutes of R55."""
    if (
        standing.session is None
        or standing.game_state is None
        or standing.game_state.suspended is None
    ):
        return None
    of_game = JournalEntry.objects.filter(
        session=standing.session, game=standing.game_state.number, kind="game_suspended"
    )
    return of_game.last()


def usual_format(hall: Hall) -> int:
    """Return the format of the hall's newest game, 90 before there is any."""
    found = Game.objects.filter(session__hall=hall).select_related("issue__series")
    newest = found.order_by("-pk").first()
    return newest.issue.series.format if newest else 90
