"""The pages for cameras: set up, shown where balls rest, shown the balls themselves."""

from django.urls import URLPattern

from draws.views.cameras import calibration, camera, files, overview, showing

PAGES = (overview.PAGE, camera.PAGE, calibration.PAGE, showing.PAGE)


def urls() -> list[URLPattern]:
    """Give their addresses."""
    pages = [address for page in PAGES for address in page.urls()]
    return pages + calibration.FILES + files.FILES
