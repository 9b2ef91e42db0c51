"""The accounts that one inspector has in several halls, joined so that one evening's work is one login."""

from django.db import models
from django.db.models import F, Q

from halls.models.hall import Hall
from halls.models.person import Person


class JoinedDesk(models.Model):
    """From an account of a hall to another hall's, of the same inspector; there is one each way.

    Both were proven by their passwords. `proof` and `other_proof` are what Django holds a login by:
    they end with the password, so whoever sets another for one account has not the other hall too.
    """

    deletable = True

    hall = models.ForeignKey(Hall, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="desks")
    other = models.ForeignKey(Person, models.CASCADE, related_name="+")
    proof = models.CharField(max_length=64)
    other_proof = models.CharField(max_length=64)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "other"], name="desk_joined_once"),
            models.CheckConstraint(condition=~Q(person=F("other")), name="desk_of_another_account"),
        ]

    def __str__(self) -> str:
        return f"{self.person} – {self.other}"
