"""What the tests of these pages share."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture
def portuguese() -> Iterator[None]:
    """Whoever read the last page, the next test reads in its own language."""
    with translation.override("pt"):
        yield
