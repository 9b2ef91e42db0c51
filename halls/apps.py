"""The app `halls`: hall, people, sessions, journal, tills."""

from django.apps import AppConfig


class HallsConfig(AppConfig):
    """Names the app."""

    name = "halls"
