"""Whatever a hall with floor sellers, two tills, two prices and double cards does: the books agree."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st

from bingo.rules import cards
from bingo.rules import sale_order as rules_sales
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Block, Run
from bingo.rules.session_state import GameState, Phase, SessionState, load
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.models import Card, Game, Issue, Sale
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import floor, handing_on_and_taking_back
from draws.sales import services as sales_services
from halls import tills
from halls.models import Hall, JournalEntry, Person, Role, Shift
from tests.support.evening import FACE, FLOAT, Evening
from tests.support.floor_hall import CALLER, CASHIER, CHIEF, MANAGER, sellers, stocked
from tests.support.playing import shown
from tests.support.sql_audit import faults

ROUND = 12  # steps between two audits


class Pressing:
    """People of one hall who mostly do what is due, at either till."""

    def __init__(self, evening: Evening, chance: Random) -> None:
        self.evening, self.chance = evening, chance
        self.done: dict[str, int] = {}

    # Who and where

    def somebody(self, role: Role, by: Person | None = None) -> dict[str, Any]:
        """Mostly the right person, with a key."""
        person = by or self.evening.person(role)
        if self.chance.random() < 0.02:
            person = self.evening.person(self.chance.choice(list(Role)))
        return {"by": person, "at": timezone.now(), "key": UUID(int=self.chance.getrandbits(128))}

    @property
    def state(self) -> SessionState:
        return load(self.evening.hall.sessions.latest("pk").state)

    @property
    def known(self) -> GameState:
        """The open game by the rules."""
        state = self.state
        if state.game is None or not state.playing:
            raise Refusal("no_game")
        return state.game

    @property
    def game(self) -> Game:
        return progress.current(self.evening.hall)

    def shift(self) -> Shift:
        """Any till's newest shift, mostly one that is open."""
        found = Shift.objects.select_related("session__hall", "till", "cashier").order_by("-pk")
        open_now = found.filter(closed_at__isnull=True)
        some = list(open_now if self.chance.random() < 0.95 else found) or list(found)
        return self.chance.choice(some)

    def at_a_till(self) -> dict[str, Any]:
        shift = self.shift()
        return {"game": self.game, "shift": shift, **self.somebody(CASHIER, shift.cashier)}

    def a_seller(self) -> Person:
        return self.chance.choice(sellers(self.evening))

    def a_face(self) -> int | None:
        """A price that is on sale, or none said."""
        faces = self.known.prices
        return self.chance.choice([*faces, *faces, None if len(faces) == 1 else FACE])

    def a_block(self) -> tuple[Run, Block]:
        out = [(run, block) for run in self.known.runs for block in run.out]
        if not out:
            raise Refusal("no_block")
        return self.chance.choice(out)

    # Doing

    def press(self) -> None:
        """Do something, at times twice with its key; a refusal leaves no trace."""
        verb = self.verb()
        before = JournalEntry.objects.count()
        try:
            with transaction.atomic():
                verb(self)
        except Refusal:
            assert JournalEntry.objects.count() == before
        else:
            self.done[verb.__name__] = self.done.get(verb.__name__, 0) + 1

    def verb(self) -> Verb:
        """Mostly what is due."""
        due = VERBS
        if self.chance.random() < 0.85:
            state = self.state
            due = DUE.get(state.game.phase, {}) if state.game and state.playing else WITHOUT_A_GAME
            due = due | AT_ANY_TIME if self.chance.random() < 0.2 or not due else due
        return self.chance.choices(list(due), list(due.values()))[0]

    def told(self, service: Callable[..., Any], **asked: Any) -> None:
        """Give a command; one in five comes twice, and the second time changes nothing."""
        first = shown(service(**asked))
        if self.chance.random() < 0.2:
            before = JournalEntry.objects.count()
            assert shown(service(**asked)) == first
            assert JournalEntry.objects.count() == before

    def open_game(self) -> None:
        issue = self.chance.choice(list(self.evening.hall.issues.all()))
        self.told(
            games_services.open_game,
            session=self.evening.session,
            issue=issue,
            **self.somebody(CHIEF),
        )

    def open_second_half(self) -> None:
        self.told(
            games_services.open_second_half, session=self.evening.session, **self.somebody(CHIEF)
        )

    def another_issue(self) -> dict[str, Any]:
        """Any other issue, mostly a fresh one."""
        others = list(Issue.objects.select_related("series").exclude(pk=self.game.issue_id))
        fresh = [issue for issue in others if not issue.last_sold]
        issue = self.chance.choice(fresh if fresh and self.chance.random() < 0.7 else others)
        return {"game": self.game, "issue": issue, **self.somebody(CHIEF)}

    def add_issue(self) -> None:
        self.told(games_services.add_issue, **self.another_issue())

    def second_issue(self) -> None:
        self.told(games_services.open_second_issue, **self.another_issue())

    def announce_sale(self) -> None:
        self.told(games_services.announce_sale, game=self.game, **self.somebody(CALLER))

    def sell(self) -> None:
        quantity = self.chance.choice([1, 2, 3, 6, 12, 40, 0, -1, 1000])
        player = self.chance.choice([None, None, "12"])
        self.told(
            sales_services.sell,
            quantity=quantity,
            face=self.a_face(),
            player=player,
            **self.at_a_till(),
        )

    def take_back(self) -> None:
        """Take some sale back, most often the newest one, by whoever sits there."""
        sales = JournalEntry.objects.filter(hall=self.evening.hall, kind="cards_sold")
        newest = list(sales.order_by("-number")[: self.chance.choice([1, 1, 1, 4])])
        if not newest:
            raise Refusal("nothing_due")
        self.told(handing_on_and_taking_back.take_back, sale=newest[-1], **self.at_a_till())

    def sell_out(self) -> None:
        """Sell all that is left but one, so that the end comes in sight."""
        if self.game.phase == Phase.SELLING:
            run = self.known.runs[0]
            face = self.known.price(run)
            self.told(sales_services.sell, quantity=run.left - 1, face=face, **self.at_a_till())

    def hand_out(self) -> None:
        quantity = self.chance.choice([1, 4, 12, 24])
        self.told(
            floor.hand_out, seller=self.a_seller(), quantity=quantity, face=self.a_face(),
            **self.at_a_till(),
        )  # fmt: skip

    def settle(self) -> None:
        run, block = self.a_block()
        last = self.chance.randint(block.first, block.last)
        back = [n for n in range(block.first, last + 1) if self.chance.random() < 0.3]
        returned = rules_sales.merged((number, number) for number in back)
        self._settle(run, block, last, returned)

    def _settle(self, run: Run, block: Block, last: int, returned: rules_sales.Stretches) -> None:
        seller = self.evening.hall.people.get(username=block.seller)
        self.told(
            floor.settle, seller=seller, issue=Issue.objects.get(pk=run.issue), first=block.first,
            last=last, returned=returned, **self.at_a_till(),
        )  # fmt: skip

    def settle_everything(self) -> None:
        """Settle what is out, half of it unsold, as before the sale is closed."""
        for run in self.known.runs:
            for block in run.out:
                middle = (block.first + block.last) // 2
                returned = ((middle + 1, block.last),) if middle < block.last else ()
                self._settle(run, block, block.last, returned)

    def hand_over(self) -> None:
        run, block = self.a_block()
        self.told(
            floor.hand_over, game=self.game, issue=Issue.objects.get(pk=run.issue),
            seller=self.evening.hall.people.get(username=block.seller), to=self.a_seller(),
            first=self.chance.randint(block.first, block.last), last=block.last,
            **self.somebody(CASHIER),
        )  # fmt: skip

    def write_off(self) -> None:
        run = self.chance.choice(self.known.runs)
        first = run.next + self.chance.randint(-12, 6)
        self.told(
            floor.write_off, game=self.game, issue=Issue.objects.get(pk=run.issue), first=first,
            last=first + self.chance.randint(0, 2), reason="molhado", **self.somebody(CHIEF),
        )  # fmt: skip

    def close_sale(self) -> None:
        self.told(games_services.close_sale, game=self.game, **self.somebody(CALLER))

    def play(self) -> None:
        """Draw until one sold card has everything, and award it, unless somebody disturbs."""
        game = self.game
        games_services.announce_draw(game=game, **self.somebody(CALLER))
        sale = self.chance.choice(list(Sale.objects.filter(game=game.first_half or game)))
        card = Card.objects.get(series=sale.issue.series_id, number=sale.first)
        for number in sorted(cards.numbers(tuple(tuple(row) for row in card.rows))):
            draw.announce_ball(game=game, number=number, **self.somebody(CALLER))
        draw.call_claim(game=game, combination="bingo", **self.somebody(CALLER))
        claims_services.check(
            game=game, combination="bingo", issue=sale.issue, card=sale.first, sound=True,
            **self.somebody(CHIEF),
        )  # fmt: skip
        claims_services.open_window(game=game, **self.somebody(CHIEF))
        claims_services.close_window(game=game, **self.somebody(CHIEF))
        games_services.finish(game=game, **self.somebody(CHIEF))

    def pay(self) -> None:
        pk, card = self.chance.choice([*self.known.unpaid, (self.game.issue_id, 1)])
        issue = Issue.objects.get(pk=pk)
        self.told(prizes_services.pay_payment, issue=issue, card=card, **self.at_a_till())

    def void(self) -> None:
        self.told(
            games_services.void, game=self.game, cause="other", reason="luz", **self.somebody(CHIEF)
        )

    def refund(self) -> None:
        self._refund(self.chance.randint(0, 6))

    def refund_everything(self) -> None:
        for _sale in range(60):
            if self.known.cards_refunded < self.known.cards:
                self._refund(1000)

    def _refund(self, length: int) -> None:
        given = {
            (part.issue, n)
            for part in self.known.refunded
            for n in range(part.first, part.last + 1)
        }
        for run in self.known.runs:
            due = [n for first, last in run.sold_parts for n in range(first, last + 1)]
            due = [number for number in due if (run.issue, number) not in given]
            if due:
                [(first, last), *_] = rules_sales.merged((number, number) for number in due)
                issue = Issue.objects.get(pk=run.issue)
                self.told(
                    prizes_services.refund, issue=issue, first=first, last=min(last, first + length),
                    **self.at_a_till(),
                )  # fmt: skip
                return
        raise Refusal("nothing_due")

    def complete(self) -> None:
        self.told(games_services.complete, game=self.game, **self.somebody(CHIEF))

    # Tills

    def drop(self) -> None:
        """Bring cash to the safe, or back, before a witness."""
        shift = self.shift()
        witness = self.chance.choice([self.evening.person(MANAGER)] * 4 + [None])
        amount = self.chance.choice([-900_00, -5_000_00, 40_000_00, 0, -(10**9)])
        self.told(
            tills.move_cash, shift=shift, amount=amount, reason="cofre", witness=witness,
            **self.somebody(CASHIER, shift.cashier),
        )  # fmt: skip

    def close_shift(self) -> None:
        shift = self.shift()
        due = next((one.cash for one in self.state.shifts if one.shift == shift.number), 0)
        difference = self.chance.choice([0, 0, -1, 500])
        comment = self.chance.choice(["", "falta"])
        self.told(
            tills.close_shift, shift=shift, counted=due + difference, comment=comment,
            **self.somebody(CASHIER, shift.cashier),
        )  # fmt: skip

    def open_shift(self) -> None:
        cashier = self.chance.choice(list(self.evening.hall.people.filter(roles=[CASHIER])))
        self.told(
            tills.open_shift, session=self.evening.session, float=FLOAT,
            till=self.chance.choice(list(self.evening.hall.tills.all())),
            **self.somebody(CASHIER, cashier),
        )  # fmt: skip


Verb = Callable[[Pressing], None]
WITHOUT_A_GAME: dict[Verb, int] = {Pressing.open_game: 4, Pressing.open_second_half: 4}
DUE: dict[Phase, dict[Verb, int]] = {
    Phase.PREPARED: {
        Pressing.add_issue: 3, Pressing.announce_sale: 3, Pressing.write_off: 1,
    },
    Phase.SELLING: {
        Pressing.sell: 8, Pressing.take_back: 4, Pressing.sell_out: 3, Pressing.hand_out: 7, Pressing.settle: 5,
        Pressing.settle_everything: 4, Pressing.hand_over: 3, Pressing.write_off: 3,
        Pressing.second_issue: 4, Pressing.close_sale: 3, Pressing.void: 1,
    },
    Phase.CLOSED: {Pressing.play: 6, Pressing.void: 2},
    Phase.PAYING: {Pressing.pay: 6, Pressing.complete: 3},
    Phase.VOIDED: {
        Pressing.refund: 5, Pressing.refund_everything: 2, Pressing.complete: 2, Pressing.pay: 1,
    },
}  # fmt: skip
AT_ANY_TIME: dict[Verb, int] = {
    Pressing.drop: 3, Pressing.close_shift: 1, Pressing.open_shift: 4,
}  # fmt: skip
VERBS: dict[Verb, int] = {
    verb: weight
    for some in (WITHOUT_A_GAME, *DUE.values(), AT_ANY_TIME)
    for verb, weight in some.items()
}


def agree(hall: Hall) -> None:
    """The journal, the tables and the plain questions in SQL have nothing to say against each other."""
    assert audit(Hall.objects.get(pk=hall.pk)) == []
    assert faults() == {}


def begun(evening: Evening) -> None:
    """Let a game before have sold two thirds of the first issue, so that a second may follow it."""
    who = {**evening.who(CHIEF), "game": evening.reach("selling").game}
    asked = {"shift": evening.shift, **evening.who(CASHIER), "game": who["game"]}
    sales_services.sell(quantity=60, **asked)
    games_services.void(cause="other", reason="luz", **who)
    prizes_services.refund(issue=evening.issue(), first=1, last=60, **asked)
    games_services.complete(**who)
    evening.equip()


def evenings(examples: int, rounds: int) -> dict[str, int]:
    """Press at random; return how often each thing was done."""
    done: dict[str, int] = {}
    evening = stocked().reach("shift")
    begun(evening)

    @settings(
        max_examples=examples,
        deadline=None,
        phases=[Stage.reuse, Stage.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(seed=st.integers(0, 2**32))
    def play(seed: int) -> None:
        with transaction.atomic():
            pressing = Pressing(evening, Random(seed))
            for _round in range(rounds):
                for _step in range(ROUND):
                    pressing.press()
                agree(evening.hall)
            transaction.set_rollback(True)
        for verb, times in pressing.done.items():
            done[verb] = done.get(verb, 0) + times

    play()
    return done


@pytest.mark.django_db
@pytest.mark.rule(15)
@pytest.mark.rule(36)
@pytest.mark.rule(38)
@pytest.mark.rule(39)
def test_books_of_the_floor_agree_after_any_evening() -> None:
    assert sum(evenings(2, 6).values()) > 20


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.rule(36)
def test_books_of_the_floor_agree_after_very_many_evenings() -> None:
    done = evenings(20, 10)
    assert set(done) == {verb.__name__ for verb in VERBS}
