"""A person who logs in, and the functions they may perform (BOE III)."""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from halls.models.hall import Hall
from halls.permissions import Role


class People(BaseUserManager["Person"]):
    """Makes people with a hashed password."""

    def enrol(
        self,
        *,
        hall: Hall,
        username: str,
        name: str,
        roles: list[str],
        language: str,
        password: str,
        password_given: bool = False,
    ) -> "Person":
        """Add a person to a hall."""
        person = self.model(hall=hall, username=username, name=name, roles=roles, language=language)
        person.password_given = password_given
        person.set_password(password)
        person.save(using=self._db)
        return person


class Person(AbstractBaseUser):
    """Somebody known to a hall; inactive people can no longer log in but stay in its records.

    In a training hall, whoever `practises`: this account is theirs there, and nobody logs in as it.
    """

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="people")
    username = models.CharField(max_length=150, unique=True)
    name = models.CharField(max_length=200)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices))
    language = models.CharField(max_length=5)
    is_active = models.BooleanField(default=True)
    practises = models.ForeignKey("self", models.PROTECT, null=True, related_name="trainees")
    # Somebody else knows the password: until its owner has changed it, it opens that page alone.
    password_given = models.BooleanField(default=False)

    objects = People()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(roles__contained_by=Role.values), name="person_roles_known"
            ),
            models.UniqueConstraint(
                fields=["hall", "practises"], name="person_practises_once_in_a_hall"
            ),
        ]

    def __str__(self) -> str:
        return self.name
