"""The app `draws`: series, sales, draws, claims, prizes, actas."""

from django.apps import AppConfig


class DrawsConfig(AppConfig):
    """Names the app, and lets the RNG's process remember what the house has signed."""

    name = "draws"

    def ready(self) -> None:
        """Add the RNG's process to those that remember the last head."""
        from draws.games import randomness  # models are there only now
        from halls.checkpoints import memory

        memory.KEEPERS["rng"] = memory.Keeper(randomness.read_note, randomness.replace_note)
