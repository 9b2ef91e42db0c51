"""What has happened to one issue, as the journal tells it."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from draws.models import Issue, PrintJob
from halls.models import JournalEntry

OF_ISSUE = (
    "issue_received", "issue_counted", "cards_retired", "cards_written_off", "issue_withdrawn", "issue_reinstated",
    "issue_sent", "transfer_recalled", "print_ordered",
)  # fmt: skip
OF_PRINT = ("print_finished", "print_failed", "print_cancelled")
OF_GAME = ("game_opened", "second_issue_opened", "issue_added")


def of_issue(issue: Issue) -> QuerySet[JournalEntry]:
    """Give the entries that speak of an issue, the newest first."""
    prints = list(PrintJob.objects.filter(issue=issue).values_list("pk", flat=True))
    about = (
        Q(kind__in=OF_ISSUE, data__issue=issue.pk)
        | Q(kind__in=OF_GAME, data__issue__issue=issue.pk)
        | Q(kind__in=OF_PRINT, data__job__in=prints)
    )
    # The kinds once more by themselves: an index can find them, the data it cannot.
    kinds = Q(kind__in=(*OF_ISSUE, *OF_GAME, *OF_PRINT))
    found = JournalEntry.objects.filter(kinds & about, hall=issue.hall_id)
    return found.select_related("by", "hall", "session").order_by("-number")
