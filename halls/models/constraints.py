"""Database constraints, each named after the rule that it holds."""

from django.db.models import CheckConstraint, Q, UniqueConstraint


def check(name: str, condition: Q) -> CheckConstraint:
    """Return the constraint by which each row meets a condition."""
    return CheckConstraint(condition=condition, name=name)


def unique(name: str, *fields: str, condition: Q | None = None) -> UniqueConstraint:
    """Return the constraint by which no two rows, of those that meet a condition, are alike in fields."""
    return UniqueConstraint(fields=fields, condition=condition, name=name)
