"""Which session a hall is in."""

from bingo.rules.refusal import Refusal
from halls.models import Hall, Session


def open_session(hall: Hall) -> Session | None:
    """Give the hall's open session, if any."""
    found = Session.objects.filter(hall=hall, closed_at__isnull=True)
    return found.select_related("hall", "authorisation").first()


def the_open_session(hall: Hall) -> Session:
    """Give the hall's open session. Raises Refusal no_session."""
    session = open_session(hall)
    if session is None:
        raise Refusal("no_session")
    return session


def had_an_evening(hall: Hall) -> bool:
    """Tell whether a hall's first evening is over: a session of it was closed."""
    return Session.objects.filter(hall=hall, closed_at__isnull=False).exists()
