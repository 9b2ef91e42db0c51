"""What the tests of vault share with others."""

import pytest

from bingo.rules.refusal import Refusal


def refused(code: str) -> "pytest.RaisesExc[Refusal]":
    """Expect a refusal of this code."""
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)
