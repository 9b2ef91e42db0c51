"""The ASGI application: HTTP and WebSocket, from one process."""

import os

import django
from channels.routing import ProtocolTypeRouter, URLRouter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
django.setup(set_prefix=False)

# Django must be set up before models load.
from bingo.connections import door  # noqa: E402
from bingo.http_server import Bounded, Handler  # noqa: E402
from bingo.origins import OwnOrigins  # noqa: E402
from bingo.proxies import Behind  # noqa: E402
from draws.balls.views import ball_trial  # noqa: E402
from draws.boards import views as boards_views  # noqa: E402
from draws.boards.sockets import sockets  # noqa: E402
from draws.cards.views import series  # noqa: E402
from draws.desks.table import claims  # noqa: E402
from halls.web import login, middleware  # noqa: E402

halls = ("", middleware.PREFIX)
# What is posted there is hashed.
PASSWORDS = ("login", "login/pin", "sign-in/unlock", "password", "first")
# Where files are sent, and the bytes that a request may carry there.
larger = {
    f"{hall}{address}": largest
    for hall in halls
    for address, largest in (
        (series.take_in_address(), series.LARGEST),
        (claims.showing_address(), claims.LARGEST),
        (boards_views.picture_address(), boards_views.LARGEST),
        (ball_trial.address(), ball_trial.LARGEST),
    )
}
application = Behind(
    ProtocolTypeRouter(
        {
            "http": Bounded(
                Handler(
                    passwords=[f"{hall}/{one}/" for hall in halls for one in PASSWORDS],
                    busy=login.busy,
                ),
                larger=larger,
                answer=login.too_large,
            ),
            "websocket": OwnOrigins(URLRouter(sockets)),
        }
    ),
    door.proxies,
)
