"""Every console fits a phone and a large screen: nothing scrolls sideways."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from draws.demonstration import hall as demonstration
from draws.services import games, sales
from halls.models import Role
from halls.services import sessions, tills
from tests.e2e.conftest import RunningHall
from tests.e2e.people import DESKTOP, PHONE, enter

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_consoles_fit_phone_and_large_screen(browser: Browser, running_hall: RunningHall) -> None:
    hall, now = running_hall.hall, timezone.now
    staff = {role: hall.people.filter(roles__contains=[role])[0] for role in Role}
    session = sessions.open_session(hall=hall, checked=True, by=staff[Role.HALL_MANAGER], at=now())
    cashier = staff[Role.CASHIER]
    shift = tills.open_shift(
        session=session, till=hall.tills.earliest("pk"), float=5_000_00, by=cashier, at=now()
    )
    issue = demonstration.issue(hall, "1001")
    game = games.open_game(session=session, issue=issue, by=staff[Role.TABLE_CHIEF], at=now())
    games.announce_sale(game=game, by=staff[Role.CALLER], at=now())
    sales.sell(game=game, shift=shift, quantity=120, by=cashier, at=now())
    for name in ("chefe", "mesa", "locutor", "caixa1", "inspetor"):
        page = enter(browser, running_hall, name).page
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            width = page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= size["width"], f"{name} at {size['width']} px is {width} px wide"
