"""The app `halls`: hall, people, sessions, journal, tills."""

from django.apps import AppConfig


class HallsConfig(AppConfig):
    """Names the app."""

    name = "halls"

    def ready(self) -> None:
        """Have logins told to the security log."""
        from halls import security_log  # noqa: F401 - models must be there first
