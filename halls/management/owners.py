"""Give the hall's files to the users of its programs, whoever made them."""

from pathlib import Path

from django.conf import settings

from bingo import accounts


def hand_over() -> None:
    """Give everything to whom it belongs. Raises OSError where the disk knows no owners."""
    checkpoints = [Path(one) for one in settings.CHECKPOINT_DIRS]
    accounts.hand_over(Path(settings.DATA_DIR), Path(settings.KEYS_DIR), checkpoints)


def hand_back() -> None:
    """Give away what a command of root's has made, where the hall is run by users of its own."""
    rng = Path(settings.RNG_DIR)
    if accounts.are_separate() and rng.is_dir() and rng.stat().st_uid == accounts.NUMBERS.uid:
        hand_over()
