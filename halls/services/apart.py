"""Real and training halls have nothing to do with each other: no money, no cards, no names."""

from bingo.rules.refusal import Refusal
from halls.models import Hall


def require_real(*halls: Hall) -> None:
    """Refuse what only real halls do with each other. Raises Refusal training_is_apart."""
    if any(hall.is_training for hall in halls):
        raise Refusal("training_is_apart")


def require_training(hall: Hall) -> None:
    """Refuse what is done only where nothing is real. Raises Refusal not_in_training."""
    if not hall.is_training:
        raise Refusal("not_in_training")
