"""What a period's games took and gave, day by day, week by week or month by month: money, to the unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from bingo.rules.combinations import BINGO, LINE
from draws.models import Prize
from draws.queries.prize_games import Told, is_jackpot
from halls.models import Hall

DAY, WEEK, MONTH = "day", "week", "month"
STEPS = (DAY, WEEK, MONTH)


@dataclass(slots=True)
class Sums:
    """What games came to, in minor units; `begins` is the first day of theirs, None for them all.

    `due` is what the authorisation gives to prizes and `fund` what was set aside for them: the same
    to the unit, or `wrong` names the games (session, number) in which not. `paid` is by prize;
    `accrued` went to the jackpot, `left` was carried on, `brought` came from games before.
    """

    begins: date | None = None
    games: int = 0
    void: int = 0
    cards: int = 0
    gross: int = 0
    due: int = 0
    fund: int = 0
    accrued: int = 0
    brought: int = 0
    left: int = 0
    paid: Counter[str] = field(default_factory=Counter)
    hits: int = 0
    wrong: list[tuple[int, int]] = field(default_factory=list)

    def add(self, one: Told) -> None:
        """Add a game; of a void one only that there was one."""
        if one.void:
            self.void += 1
            return
        fixed = one.fixed
        self.games += 1
        self.cards += one.game.cards
        self.gross += fixed.gross
        self.due += one.due
        self.fund += fixed.fund
        self.accrued += fixed.jackpot
        self.brought += fixed.brought
        self.left += one.left
        self.paid.update(one.paid)
        self.hits += sum(is_jackpot(prize) for prize in one.paid)
        parts = fixed.line + fixed.bingo + fixed.jackpot + sum(part for _name, part in fixed.extras)
        if one.due != fixed.fund or parts != fixed.fund or one.left < 0:
            self.wrong.append((one.game.session.number, one.game.number))

    @property
    def line(self) -> int:
        """What lines came to."""
        return self.paid[LINE]

    @property
    def bingo(self) -> int:
        """What bingos came to."""
        return self.paid[BINGO]

    @property
    def jackpot(self) -> int:
        """What was won of jackpots."""
        return sum(amount for prize, amount in self.paid.items() if is_jackpot(prize))

    @property
    def extras(self) -> int:
        """What additional prizes came to."""
        return sum(self.paid.values()) - self.line - self.bingo - self.jackpot

    @property
    def returned(self) -> int:
        """What players got, a jackpot's included."""
        return sum(self.paid.values())

    def share(self, amount: int) -> float:
        """Give an amount in basis points of the sales."""
        return 10_000 * amount / self.gross if self.gross else 0.0


def of(games: Iterable[Told]) -> Sums:
    """Add games up."""
    sums = Sums()
    for one in games:
        sums.add(one)
    return sums


def by(step: str, games: Sequence[Told], hall: Hall) -> list[Sums]:
    """Add games up by the day, the week (from Monday) or the month that they were opened in."""
    zone = ZoneInfo(hall.time_zone)
    found: dict[date, Sums] = {}
    for one in games:
        begins = _begins(step, one.game.opened_at.astimezone(zone).date())
        found.setdefault(begins, Sums(begins)).add(one)
    return [found[begins] for begins in sorted(found)]


def _begins(step: str, day: date) -> date:
    if step == MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if step == WEEK else day


def sharing(games: Sequence[Told]) -> dict[str, Counter[int]]:
    """Give, for each prize, in how many games so many cards won it."""
    ours = [one.game.pk for one in games if not one.void]
    cards: dict[str, Counter[int]] = {}
    for prize, game in Prize.objects.filter(game__in=ours).values_list("combination", "game"):
        cards.setdefault(prize, Counter())[game] += 1
    return {prize: Counter(won.values()) for prize, won in cards.items()}
