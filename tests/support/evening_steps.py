"""What everybody does next in an evening that nothing disturbs."""

from __future__ import annotations

from typing import Any

from bingo.rules import (
    patterns,
    sale_order,
)
from bingo.rules.session_state import Phase
from bingo.rules.steps import drawing, paying_and_completing
from tests.support.evening_books import ISSUES, Data, EveningBooks
from tests.support.rules_playing import (
    FACE,
    SIZE,
    claim,
    numbers,
)


class EveningSteps(EveningBooks):
    """An evening that can always be brought to its end by lawful commands."""

    def take_the_next_step(self) -> None:
        """Do what is lawful next; were there nothing, the hall would be stuck, and this fails."""
        kind, inputs = self._next()
        assert self.tell(kind, **inputs) is not None, kind
        if kind == "refusal_reversed":
            self.refused.remove((inputs["combination"], inputs["issue"], inputs["card"]))

    def _next(self) -> tuple[str, Data]:
        if "T1" not in self.drawers:
            taken = {one.cashier for one in self.state.shifts if one.counted is None}
            cashier = next(name for name in "abc" if name not in taken)
            return "shift_opened", {"till": "T1", "cashier": cashier, "float": 0}
        if not self.state.playing:
            return self._next_game()
        match self.game.phase:
            case Phase.PREPARED:
                return "sale_announced", {}
            case Phase.SELLING:
                return self._mended() or self._next_of_sale()
            case Phase.CLOSED:
                return self._mended() or ("draw_announced", {})
            case Phase.DRAWING | Phase.STOPPED | Phase.WINDOW:
                return self._mended() or self._next_of_draw()
            case _:
                return self._next_of_money()

    def _next_game(self) -> tuple[str, Data]:
        stock = [issue for issue in ISSUES if self.next_of(issue) <= SIZE]
        if not stock:
            return "note_recorded", {"category": "other", "text": "no cards left", "decision": ""}
        on_sale = self.on_sale(stock[0])
        return "game_opened", {"format": 90, "face": FACE, "issue": on_sale, "matrix": "ab"}

    def _mended(self) -> tuple[str, Data] | None:
        return None if self.game.suspended is None else ("game_resumed", {"decision": "mended"})

    def _next_of_sale(self) -> tuple[str, Data]:
        if self.game.cards:
            return "sale_closed", {}
        quantity = min(8, self.game.runs[0].left)
        return "cards_sold", {"quantity": quantity, "first": None, "till": "T1", "seller": None}

    def _next_of_draw(self) -> tuple[str, Data]:
        refused = {(issue, card) for name, issue, card in self.refused if name == "bingo"}
        issue, card = next((one for one in self.sold_now if one not in refused), self.sold_now[0])
        missing = sorted(numbers(card) - set(self.game.balls))
        if self.game.phase is Phase.WINDOW:
            return "window_closed", {}
        if self.game.phase is Phase.DRAWING:
            if missing:
                source = self.game.source.replace(drawing.FIRST, "") or drawing.RNG
                told = {"number": missing[0], "order": None, "source": source}
                return "ball_announced", told | {"witness": "chief"}
            return "claim_called", {"combination": "bingo"}
        if self.game.pending:
            return "window_opened", {}
        if patterns.BINGO in self.game.closed:
            return "game_finished", {}
        if (issue, card) in refused:
            # Where nobody else can win, two persons look at its marks again (R30).
            named = {"combination": "bingo", "issue": issue, "card": card}
            return "refusal_reversed", named | {"reason": "marked after all", "witness": "chief"}
        if self.game.called and missing:
            return "draw_resumed", {"withdrawn": "nobody called"}
        return (
            ("draw_resumed", {})
            if missing
            else ("claim_checked", claim("bingo", card, issue=issue))
        )

    def _next_of_money(self) -> tuple[str, Data]:
        due, kind, inputs = 0, "entry_completed", dict[str, Any]()
        if self.game.unpaid and self.random.random() < 0.3:
            issue, card = self.game.unpaid[0]
            named = {"issue": issue, "card": card, "reason": "left", "note": ""}
            return "prize_set_aside", named | {"witness": "chief"}
        if self.game.unpaid:
            issue, card = self.game.unpaid[0]
            won = [one for one in self.game.awards if (one.issue, one.card) == (issue, card)]
            due = sum(one.amount - one.tax for one in won)
            kind, inputs = "prize_paid", {"issue": issue, "card": card, "till": "T1"}
        elif (
            left := [] if self.game.void is None else paying_and_completing.refunds_left(self.game)
        ):
            if self.random.random() < 0.3:
                ranges = [sale_order.range_to_data(part) for part in left]
                named = {"ranges": ranges, "reason": "left", "note": ""}
                return "refund_set_aside", named | {"witness": "chief"}
            issue, card = next(one for one in self.sold_now if not self._refunded(*one))
            due = FACE
            kind = "cards_refunded"
            inputs = {"issue": issue, "first": card, "last": card, "till": "T1"}
        if due > self.drawers["T1"]:
            brought = {"till": "T1", "amount": due, "reason": "cash for the players"}
            return "cash_moved", brought
        return kind, inputs

    def _refunded(self, issue: int, card: int) -> bool:
        return any(
            part.issue == issue and part.first <= card <= part.last
            for part in self.game.refunds_settled
        )
