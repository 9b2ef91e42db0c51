"""What the tests of desk share with others."""

from draws.desks import hall_manager
from draws.desks.caller import page
from draws.desks.table import page as table_page
from draws.desks.till import page as till_page
from draws.web.page_classes import Desk

ALL: dict[str, Desk] = {
    desk.name: desk for desk in (till_page.DESK, page.DESK, table_page.DESK, hall_manager.DESK)
}
