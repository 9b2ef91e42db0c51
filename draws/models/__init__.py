"""The rows of the game."""

from draws.models.acta import Acta
from draws.models.game import Ball, ClaimCheck, Game
from draws.models.prize import Payment, Prize
from draws.models.sale import Refund, Sale
from draws.models.series import Card, Issue, Series

__all__ = [
    "Acta",
    "Ball",
    "Card",
    "ClaimCheck",
    "Game",
    "Issue",
    "Payment",
    "Prize",
    "Refund",
    "Sale",
    "Series",
]
