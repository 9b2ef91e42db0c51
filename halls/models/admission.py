"""Models of admission: counts at the door, visits by document hash, exclusions (BOE III).

Documents are known by their hashes alone.
"""

from django.db import models
from django.db.models import F, Q

from bingo.rules import admission
from bingo.rules.admission import ADMITTED, KINDS, REASONS, REFUSED
from bingo.rules.texts import LONGEST_REASON
from halls.models.constraints import check, unique
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Admission(models.Model):
    """One thing at the door, numbered in the hall from 1 without gap, and how many were inside after it.

    `reason` says why somebody was refused, or why the count was set; `capacity` is how many might
    be inside when somebody was let in, None where nothing limits it.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="admissions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    inside = models.PositiveIntegerField()
    capacity = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            # Two doors that count from the same number are refused here, whatever they locked.
            unique("admission_number_once", "hall", "number"),
            check("admission_number_positive", Q(number__gt=0)),
            check("admission_kind_known", Q(kind__in=KINDS)),
            check(
                "admission_within_capacity", Q(capacity__isnull=True) | Q(inside__lte=F("capacity"))
            ),
            check("admission_capacity_of_who_came_in", Q(capacity__isnull=True) | Q(kind=ADMITTED)),
            check("admission_refused_for_a_reason", ~Q(kind=REFUSED) | Q(reason__in=REASONS)),
        ]

    def __str__(self) -> str:
        return f"{self.hall}: {self.inside}"


class Visit(models.Model):
    """One admission in the register: the hash of the document shown, under the hall's key `key`.

    `salt` is what the journal's proof of the row needs, and goes with it. PostgreSQL lets no row go
    before `kept_until`, and later none but by a removal.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="visits")
    admission = models.OneToOneField(Admission, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    document = models.CharField(max_length=64)
    key = models.PositiveSmallIntegerField()
    salt = models.CharField(max_length=32)
    at = models.DateTimeField()
    kept_until = models.DateTimeField()

    class Meta:
        constraints = [
            unique("visit_number_once", "hall", "number"),
            check("visit_document_hashed", Q(document__regex=r"^[0-9a-f]{64}$")),
            check("visit_salted", Q(salt__regex=r"^[0-9a-f]{32}$")),
            check("visit_key_positive", Q(key__gt=0)),
            check("visit_kept_a_while", Q(kept_until__gt=F("at"))),
        ]
        indexes = [models.Index(fields=["hall", "document"], name="visit_of_a_document")]

    def __str__(self) -> str:
        return f"{self.hall}, {self.number}"


class Exclusion(models.Model):
    """One exclusion, numbered in the hall from 1, from its first day to its last, if it has one.

    `document` is the hash of the person's document under the hall's key of the version `key`.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="exclusions")
    number = models.PositiveIntegerField()
    document = models.CharField(max_length=64)
    key = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=20)
    begins = models.DateField()
    ends = models.DateField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("exclusion_number_once", "hall", "number"),
            check("exclusion_number_positive", Q(number__gt=0)),
            check("exclusion_document_hashed", Q(document__regex=r"^[0-9a-f]{64}$")),
            check("exclusion_key_positive", Q(key__gt=0)),
            check("exclusion_for_a_reason", Q(reason__in=admission.EXCLUSION_REASONS)),
            check(
                "exclusion_ends_after_it_begins", Q(ends__isnull=True) | Q(ends__gte=F("begins"))
            ),
        ]
        indexes = [models.Index(fields=["hall", "document"], name="exclusion_of_a_document")]

    def __str__(self) -> str:
        return f"{self.hall}, {self.number}"


class LiftedExclusion(models.Model):
    """The end of an exclusion, by two persons and for a reason; its entry names them."""

    append_only = True

    exclusion = models.OneToOneField(Exclusion, models.PROTECT, related_name="lifted")
    reason = models.CharField(max_length=LONGEST_REASON)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [check("exclusion_lifted_for_a_reason", ~Q(reason=""))]

    def __str__(self) -> str:
        return str(self.exclusion)
