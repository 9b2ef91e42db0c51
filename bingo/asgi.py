"""HTTP and WebSocket, from one process."""

import os

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
django.setup(set_prefix=False)

# Django must be set up before models load.
from bingo.bodies import Bounded  # noqa: E402
from bingo.handler import Handler  # noqa: E402
from draws.sockets import sockets  # noqa: E402
from draws.views import screens  # noqa: E402
from draws.views.cards import take_in  # noqa: E402
from draws.views.table import showing  # noqa: E402
from halls.views import errors  # noqa: E402
from halls.views.training import PREFIX  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Bounded(
            Handler(),
            larger={
                f"{hall}{address}": largest
                for hall in ("", PREFIX)
                for address, largest in (
                    (take_in.address(), take_in.LARGEST),
                    (showing.address(), showing.LARGEST),
                    (screens.picture_address(), screens.LARGEST),
                )
            },
            answer=errors.too_large,
        ),
        "websocket": AllowedHostsOriginValidator(URLRouter(sockets)),
    }
)
