"""The app `draws`: series, sales, draws, claims, prizes, actas."""

from django.apps import AppConfig


class DrawsConfig(AppConfig):
    """Names the app."""

    name = "draws"
