"""HTTP and WebSocket, from one process."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
django_application = get_asgi_application()

from draws.consumers import sockets  # noqa: E402  Django must be set up before models load

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": AllowedHostsOriginValidator(URLRouter(sockets)),
    }
)
