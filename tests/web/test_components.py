"""The page of components is the hall manager's, and shows each colour with its contrast."""

import pytest
from django.conf import LazySettings

from draws.web.components import ICONS, PAIRS
from halls.models import Role
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", list(Role))
def test_only_a_hall_manager_opens_it(role: Role) -> None:
    answer = browser_of(Evening().person(role)).get("/components/")
    assert answer.status_code == (200 if role is Role.HALL_MANAGER else 403)


def test_shows_every_pair_and_every_icon() -> None:
    page = Evening().at("manager").get("/components/").content.decode()
    for front, back, _least in PAIRS:
        assert f'fill="var(--{front})"' in page
        assert f'fill="var(--{back})"' in page
    for icon in ICONS:
        assert f"icon--{icon}" in page


def test_hall_has_no_page_of_pieces(settings: LazySettings) -> None:
    settings.COMPONENTS = False
    assert Evening().at("manager").get("/components/").status_code == 404
