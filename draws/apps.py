"""The app `draws`: series, sales, draws, claims, prizes, actas."""

from django.apps import AppConfig


class DrawsConfig(AppConfig):
    """Names the app, and lets the RNG's process remember what the house has signed."""

    name = "draws"

    def ready(self) -> None:
        """Add the RNG's process to those that remember the last head."""
        from draws.rng import keeper  # models are there only now
        from halls.checkpoints import memory

        memory.KEEPERS["rng"] = memory.Keeper(keeper.read_note, keeper.replace_note)
