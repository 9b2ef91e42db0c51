"""What an inspector has looked at: beside the journal, which holds what the hall has done."""

from django.db import models

from halls.models.hall import Hall
from halls.models.person import Person


class Look(models.Model):
    """One page, file or search asked for: by whom, when, what and from where; it never changes.

    `route` is the address's name, `path` the address with what it asked, `source` the network
    address that it came from; `before` is the digest of the hall's look before it.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+", db_index=False)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField()
    method = models.CharField(max_length=10)
    route = models.CharField(max_length=50)
    path = models.CharField(max_length=1000)
    source = models.CharField(max_length=45, blank=True)
    before = models.CharField(max_length=64)

    class Meta:
        indexes = [
            models.Index(fields=["hall", "id"], name="look_of_a_hall"),
            models.Index(fields=["person", "route", "at"], name="look_of_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.path}"
