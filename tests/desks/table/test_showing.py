"""The card before the table's camera: sent as a file, seen by the hall, and nothing else let through."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bingo import photographs
from draws.boards.queries import board
from draws.models import ClaimCheck, ShownCard
from tests.support.evening import Evening, books
from tests.support.photographs import photograph
from tests.support.table import page

pytestmark = [pytest.mark.django_db, pytest.mark.rule(43)]


def show(client: Client, file: bytes | None, **said: Any) -> int:
    """Send a picture as the page does, and return what the browser hears."""
    fields = {"key": str(uuid4()), "check": ClaimCheck.objects.latest("pk").entry.number} | said
    if file is not None:
        fields["photograph"] = SimpleUploadedFile("../../card.php", file, "text/html")
    return client.post("/table/do/show/", fields).status_code


@pytest.mark.slow
def test_picture_stands_on_the_board_for_everybody_and_on_the_chiefs_page() -> None:
    evening = Evening().reach("checked")
    assert 'name="photograph"' in page(evening, "table")
    assert show(evening.at("table"), photograph()) == 200
    address = board("sala")[1]["check"]["picture"]
    answer = Client().get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert f'src="{address}"' in page(evening, "table")


@pytest.mark.slow
def test_pressed_twice_it_is_shown_once() -> None:
    evening = Evening().reach("checked")
    key = str(uuid4())
    chief, file = evening.at("table"), photograph()
    assert [show(chief, file, key=key), show(chief, file, key=key)] == [200, 200]
    assert ShownCard.objects.count() == 1


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (None, {}),
        (b"", {}),
        (b"<svg onload=alert(1)>", {}),
        (photograph()[:-2], {"check": "x"}),
        (photograph(), {"check": ""}),
        (photograph(), {"check": "999"}),
        (photograph(), {"check": "-1"}),
        (photograph(), {"check": "9" * 30}),
        (b"\xff\xd8\xff" + bytes(photographs.LARGEST_FILE), {}),
    ],
    ids=["none", "empty", "svg", "word", "blank", "later", "negative", "endless", "large"],
)
@pytest.mark.slow
def test_what_is_no_picture_of_the_card_changes_nothing(
    file: bytes | None, said: dict[str, str]
) -> None:
    evening = Evening().reach("checked")
    before = books(evening.hall)
    assert show(evening.at("table"), file, **said) == 409
    assert books(evening.hall) == before
    assert not ShownCard.objects.exists()


@pytest.mark.slow
def test_nobody_else_puts_a_picture_before_the_hall() -> None:
    evening = Evening().reach("checked")
    for desk in ("caller", "till", "inspector"):
        assert show(evening.at(desk), photograph()) == 403
    assert show(Client(), photograph()) == 302
    assert not ShownCard.objects.exists()
