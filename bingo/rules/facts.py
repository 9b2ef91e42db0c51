"""What facts are made of: JSON values by name."""

from typing import Any

Data = dict[str, Any]


def given(**values: Any) -> Data:
    """Return those of some values that there are: facts do not tell what is None."""
    return {name: value for name, value in values.items() if value is not None}
