"""The pages for cards and stock: where the hall manager works, and the inspector reads."""

from django.urls import URLPattern

from draws.views.cards import (
    authorisations,
    authorise,
    card,
    issue,
    limit_fields,
    matrix,
    patterns,
    print_order,
    prints,
    publish,
    receive,
    series,
    stock,
    take_in,
)

PAGES = (
    stock.PAGE, receive.PAGE, issue.PAGE, print_order.PAGE, prints.PAGE, series.PAGE, publish.PAGE,
    take_in.PAGE, matrix.PAGE, card.PAGE, authorisations.PAGE, authorisations.ONE, authorise.PAGE,
    patterns.PAGE,
)  # fmt: skip


def urls() -> list[URLPattern]:
    """Give their addresses."""
    pages = [address for page in PAGES for address in page.urls()]
    return pages + matrix.FILES + print_order.FILES + prints.FILES + limit_fields.urls()
