"""Whether what was sold at speed is whole: asked of PostgreSQL itself, in plain SQL."""

from django.db import connection

# Each gives a row for every fault that it knows of.
FAULTS = {
    "a gap or an overlap": """
        SELECT issue_id, first FROM (
            SELECT issue_id, first,
                   lag(last, 1, 0) OVER (PARTITION BY issue_id ORDER BY first, last) AS before
              FROM draws_taking) AS taken
         WHERE first <> before + 1""",
    "cards sold that are not as they were taken": """
        SELECT t.issue_id, t.first FROM draws_taking t
          FULL JOIN draws_sale s USING (issue_id, first, last)
         WHERE (s.id IS NULL OR t.id IS NULL) AND t.passed IS NOT true""",
    "an issue that is elsewhere than its cards": """
        SELECT i.id, i.last_sold FROM draws_issue i
         WHERE i.last_sold <> (SELECT coalesce(max(last), 0) FROM draws_taking WHERE issue_id = i.id)""",
    "cash that no sale brought": """
        SELECT entry_id, m.amount FROM halls_cashmovement m
         WHERE kind = 'sale'
           AND m.amount <> (SELECT sum(amount) FROM draws_sale s WHERE s.entry_id = m.entry_id)""",
    "a journal with a gap": """
        SELECT id, head_number FROM halls_hall h
         WHERE head_number <> (SELECT count(*) FROM halls_journalentry WHERE hall_id = h.id)""",
}  # fmt: skip
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


def require_whole() -> None:
    """Stop when one card is missing, sold twice, or without its money."""
    with connection.cursor() as cursor:
        for fault, query in FAULTS.items():
            cursor.execute(query)
            if found := cursor.fetchall():
                raise ValueError(f"{fault}: {found[:3]} and {len(found)} in all")


def require_durable() -> None:
    """Stop when a commit would be told before it is on the disk."""
    with connection.cursor() as cursor:
        for setting in DURABLE:
            cursor.execute("SELECT current_setting(%s)", [setting])
            (value,) = cursor.fetchone()
            if value != "on":
                raise ValueError(f"{setting} is {value}: nothing measured here would be durable")
