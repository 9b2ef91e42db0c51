"""What the tests of guards share with others."""

from typing import Any

from django.db.models import Model


def first(model: type[Model]) -> Any:
    """Return the first row of a table."""
    return model._default_manager.order_by("pk")[0]
