"""The URLs of custody, cards and stock, cameras, and balls and equipment.

Custody: the page, its orders, and the records that are signed. Cards and stock are where the hall
manager works, and the inspector reads. Cameras are set up, shown where balls rest, shown the balls
themselves. Equipment: sets, devices, the check before a session, statistics.
"""

from django.urls import URLPattern, path

from draws.authorisations.views import jackpot_fields, page
from draws.balls.views import ball_trial, camera_calibration, cameras, enrolments
from draws.cards.views import patterns, prints, series, stock
from draws.custody import views as custody_views
from draws.equipment.views import checks, sets, statistics


def custody_urls() -> list[URLPattern]:
    """Return the addresses of the cards kept."""
    return [*custody_views.PAGE.urls(), *custody_views.FILES]


CARDS_PAGES = (
    stock.STOCK_PAGE, stock.RECEIVE_PAGE, stock.ISSUE_PAGE, prints.PRINT_ORDER_PAGE, prints.PRINTS_PAGE, series.SERIES_PAGE, series.PUBLISH_PAGE,
    series.TAKE_IN_PAGE, series.MATRIX_PAGE, series.CARD_PAGE, page.AUTHORISATIONS_PAGE, page.ONE, page.AUTHORISE_PAGE,
    patterns.PAGE,
)  # fmt: skip


def cards_urls() -> list[URLPattern]:
    """Return their addresses."""
    pages = [address for page in CARDS_PAGES for address in page.urls()]
    return (
        pages + series.FILES + prints.PRINT_ORDER_FILES + prints.FILES + jackpot_fields.limit_urls()
    )


CAMERAS_PAGES = (
    ball_trial.PAGE,
    cameras.OVERVIEW_PAGE,
    cameras.CAMERA_PAGE,
    camera_calibration.CALIBRATION_PAGE,
    enrolments.PAGE,
)


def cameras_urls() -> list[URLPattern]:
    """Return their addresses."""
    pages = [address for page in CAMERAS_PAGES for address in page.urls()]
    return pages + camera_calibration.FILES + cameras.FILES


EQUIPMENT_PAGES = (sets.OVERVIEW_PAGE, sets.BALL_SET_PAGE, checks.PAGE, statistics.PAGE)


def equipment_urls() -> list[URLPattern]:
    """Return their addresses, and that of what players may watch (R32)."""
    pages = [address for page in EQUIPMENT_PAGES for address in page.urls()]
    watching = path("board/<slug:code>/check/", checks.public_check_page, name="board-check")
    return [*pages, *statistics.FILES, watching]
