"""Questions to the tables in plain SQL, knowing nothing of the rules: each row of an answer is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.db import connection

# What a card of an issue costs at the till: a double one is paid for both its games at once (R15).
PRICE = "i.face * CASE WHEN i.double THEN 2 ELSE 1 END"

QUERIES: Mapping[str, str] = MappingProxyType(
    {
        # Every card from 1 on has left the stack in its order (R36).
        "gap_in_takings": """
            SELECT issue_id, before + 1, first - 1
              FROM (SELECT *, coalesce(lag(last) OVER w, 0) AS before
                      FROM draws_taking WINDOW w AS (PARTITION BY issue_id ORDER BY first)) t
             WHERE first > before + 1""",
        "overlap_of_takings": """
            SELECT a.issue_id, a.first, a.last, b.first, b.last
              FROM draws_taking a JOIN draws_taking b USING (issue_id)
             WHERE a.id < b.id AND a.first <= b.last AND b.first <= a.last""",
        "wrong_predecessor": """
            SELECT issue_id, first, previous, before
              FROM (SELECT *, lag(last) OVER w AS before
                      FROM draws_taking WINDOW w AS (PARTITION BY issue_id ORDER BY first)) t
             WHERE previous IS DISTINCT FROM before""",
        "takings_end_elsewhere": """
            SELECT i.id, i.last_sold, max(t.last)
              FROM draws_issue i JOIN draws_taking t ON t.issue_id = i.id
             GROUP BY i.id HAVING max(t.last) <> i.last_sold""",
        "overlap_of_sales": """
            SELECT a.issue_id, a.first, a.last, b.first, b.last
              FROM draws_sale a JOIN draws_sale b USING (issue_id)
             WHERE a.id < b.id AND a.first <= b.last AND b.first <= a.last""",
        "sale_without_taking": """
            SELECT s.issue_id, s.first, s.last
              FROM draws_sale s
              LEFT JOIN draws_taking t USING (issue_id, first, last)
             WHERE t.id IS NULL OR t.passed OR t.seller_id IS NOT NULL OR t.game_id <> s.game_id""",
        "sold_and_retired": """
            SELECT s.issue_id, s.first, s.last, r.first, r.last
              FROM draws_sale s JOIN draws_retirement r USING (issue_id)
             WHERE s.first <= r.last AND r.first <= s.last""",
        # Of what a game took from the stack nothing is left in anybody's hands when it is over.
        "unsold_after_the_sale": """
            SELECT t.issue_id, t.first, t.last
              FROM draws_taking t JOIN draws_game g ON g.id = t.game_id
              LEFT JOIN draws_sale s
                ON (s.issue_id, s.first, s.last) = (t.issue_id, t.first, t.last)
             WHERE g.phase NOT IN ('prepared', 'selling') AND NOT t.passed AND s.id IS NULL""",
        # In no case are equal cards sold in a game (R38 c).
        "equal_cards_in_a_game": """
            SELECT a.game_id, a.issue_id, a.first, a.last, b.issue_id, b.first, b.last
              FROM draws_sale a
              JOIN draws_sale b ON b.game_id = a.game_id AND b.issue_id > a.issue_id
               AND a.first <= b.last AND b.first <= a.last
              JOIN draws_issue ia ON ia.id = a.issue_id
              JOIN draws_issue ib ON ib.id = b.issue_id AND ib.series_id = ia.series_id""",
        # Cash only, and all of it (R39): of every sale, every till, every game.
        "sale_at_another_price": f"""
            SELECT s.issue_id, s.first, s.last, s.amount
              FROM draws_sale s JOIN draws_issue i ON i.id = s.issue_id
             WHERE s.amount <> (s.last - s.first + 1) * {PRICE}""",
        "cash_is_not_the_cards": """
            SELECT entry_id, cash, sold
              FROM (SELECT m.entry_id, m.amount + coalesce((
                        SELECT sum(b.amount)
                          FROM halls_cashmovement b
                          JOIN halls_journalentry e ON e.id = b.entry_id
                          JOIN halls_journalentry o ON o.id = m.entry_id
                         WHERE b.kind = 'taken_back' AND e.hall_id = o.hall_id
                           AND (e.data ->> 'sale')::bigint = o.number), 0) AS cash
                      FROM halls_cashmovement m WHERE m.kind = 'sale') c
              FULL JOIN (SELECT entry_id, sum(amount) AS sold FROM draws_sale GROUP BY entry_id) s
             USING (entry_id)
             WHERE coalesce(cash, 0) <> coalesce(sold, 0)""",
        "cash_at_another_till": """
            SELECT s.id, s.shift_id, c.shift_id
              FROM draws_sale s JOIN halls_cashmovement c USING (entry_id)
             WHERE c.shift_id <> s.shift_id""",
        "cash_is_not_the_prizes": """
            SELECT entry_id, c.amount, p.amount
              FROM (SELECT * FROM halls_cashmovement WHERE kind = 'prize') c
              FULL JOIN draws_payment p USING (entry_id)
             WHERE coalesce(-c.amount, 0) <> coalesce(p.amount, 0)
                OR c.shift_id IS DISTINCT FROM p.shift_id""",
        "cash_is_not_the_refunds": """
            SELECT entry_id, c.amount, r.amount
              FROM (SELECT * FROM halls_cashmovement WHERE kind = 'refund') c
              FULL JOIN draws_refund r USING (entry_id)
             WHERE coalesce(-c.amount, 0) <> coalesce(r.amount, 0)
                OR c.shift_id IS DISTINCT FROM r.shift_id""",
        "drawer_is_not_its_movements": """
            SELECT h.id, (d ->> 'cash')::bigint, sum(c.amount)
              FROM halls_session s
              CROSS JOIN jsonb_array_elements(s.state -> 'shifts') d
              JOIN halls_shift h ON h.session_id = s.id AND h.number = (d ->> 'shift')::int
              LEFT JOIN halls_cashmovement c ON c.shift_id = h.id
             GROUP BY h.id, d HAVING (d ->> 'cash')::bigint <> coalesce(sum(c.amount), 0)""",
        "drawer_below_nothing": """
            SELECT shift_id, sum(amount) FROM halls_cashmovement GROUP BY shift_id
            HAVING sum(amount) < 0""",
        "game_is_not_its_sales": """
            SELECT g.id, g.cards, g.gross, sold.cards, sold.gross
              FROM draws_game g
              LEFT JOIN LATERAL (
                   SELECT sum(s.last - s.first + 1) AS cards,
                          sum((s.last - s.first + 1) * i.face) AS gross
                     FROM draws_sale s JOIN draws_issue i ON i.id = s.issue_id
                    WHERE s.game_id = coalesce(g.first_half_id, g.id)) sold ON true
             WHERE (g.cards, g.gross) <> (coalesce(sold.cards, 0), coalesce(sold.gross, 0))""",
        # Each refunded card was sold in that game, or in the first one of double cards (R57).
        "refund_of_what_was_not_sold": """
            SELECT r.issue_id, r.first, r.last
              FROM draws_refund r JOIN draws_game g ON g.id = r.game_id
             WHERE r.last - r.first + 1 > (
                   SELECT coalesce(sum(least(s.last, r.last) - greatest(s.first, r.first) + 1), 0)
                     FROM draws_sale s
                    WHERE s.issue_id = r.issue_id AND s.first <= r.last AND r.first <= s.last
                      AND s.game_id = coalesce(g.first_half_id, g.id))""",
        # Of a void game all the money has gone back or is owed when its entry is complete (R55, R57).
        "void_not_refunded": """
            SELECT g.id, refunded.cards
              FROM draws_game g
              LEFT JOIN LATERAL (SELECT coalesce(sum(last - first + 1), 0) AS cards
                                   FROM (SELECT game_id, first, last FROM draws_refund UNION ALL
                                         SELECT game_id, first, last FROM draws_unclaimeditem
                                          WHERE owed = 'refund') r
                                  WHERE r.game_id = g.id) refunded ON true
             WHERE g.phase = 'complete' AND g.void <> '' AND refunded.cards <> g.cards""",
        "prizes_above_the_fund": """
            SELECT g.id, g.line, g.bingo, g.accrual, g.gross
              FROM draws_game g
             WHERE g.line + g.bingo + g.accrual > g.gross""",
        "journal_with_a_gap": """
            SELECT hall_id, count(*), max(number) FROM halls_journalentry GROUP BY hall_id
            HAVING count(*) <> max(number)""",
    }
)


def faults() -> dict[str, list[tuple[Any, ...]]]:
    """Return the answers that have rows."""
    answers = {name: asked(name) for name in QUERIES}
    return {name: rows for name, rows in answers.items() if rows}


def asked(name: str) -> list[tuple[Any, ...]]:
    """Ask one of the questions."""
    with connection.cursor() as cursor:
        cursor.execute(QUERIES[name])
        return list(cursor.fetchall())
