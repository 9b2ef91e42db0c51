"""Training: what a training hall is called, and who is what in it."""

import pytest

from bingo.rules import staff

ALL = ["cashier", "seller", "caller", "table_chief", "floor_assistant", "door"]


@pytest.mark.parametrize(
    ("own", "there"),
    [
        (["cashier"], ALL),
        (["seller"], ALL),
        (["floor_assistant"], ALL),
        (["door"], ALL),
        (["hall_manager"], [*ALL, "hall_manager"]),
        (["hall_manager", "inspector"], [*ALL, "hall_manager"]),
        (["inspector"], []),
        (["owner"], []),
        ([], []),
    ],
)
def test_staff_is_everything_but_manager_and_nobody_else_is_anything(
    own: list[str], there: list[str]
) -> None:
    assert staff.roles(own) == there


def test_code_is_the_halls_own_and_fits() -> None:
    assert staff.code("sala", number=1) == "sala-training"
    assert staff.code("sala", number=12) == "sala-training-12"
    long = staff.code("s" * 50, number=3)
    assert (len(long), long[-11:]) == (50, "-training-3")
