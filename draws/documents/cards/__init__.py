"""Printed cards: frozen values in, PDF out."""

from draws.documents.cards.preview import preview
from draws.documents.cards.roll import roll
from draws.documents.cards.sheets import sheets
from draws.documents.cards.values import Printed

__all__ = ["Printed", "preview", "roll", "sheets"]
