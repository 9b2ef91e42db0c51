"""The pages for balls and equipment: sets, devices, the check before a session, statistics."""

from django.urls import URLPattern, path

from draws.views.equipment import ball_set, check, overview, statistics, watched

PAGES = (overview.PAGE, ball_set.PAGE, check.PAGE, statistics.PAGE)


def urls() -> list[URLPattern]:
    """Give their addresses, and that of what players may watch (R32)."""
    pages = [address for page in PAGES for address in page.urls()]
    watching = path("board/<slug:code>/check/", watched.page, name="board-check")
    return [*pages, *statistics.FILES, watching]
