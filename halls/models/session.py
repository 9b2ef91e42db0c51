"""A session of a hall: from opening to sealed acta (R58)."""

from django.db import models
from django.db.models import Q

from halls.models.authorisation import Authorisation
from halls.models.hall import Hall
from halls.models.person import Person


class Session(models.Model):
    """One session; `state` is what its journal replays to, without the game."""

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    authorisation = models.ForeignKey(Authorisation, models.PROTECT, related_name="sessions")
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    state = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "number"], name="session_number_once"),
            models.UniqueConstraint(
                fields=["hall"], condition=Q(closed_at__isnull=True), name="one_open_session_a_hall"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
                name="session_closed_at_with_by",
            ),
        ]
        indexes = [models.Index(fields=["hall", "opened_at"], name="session_of_a_day")]

    def __str__(self) -> str:
        return f"{self.hall} {self.number}"
