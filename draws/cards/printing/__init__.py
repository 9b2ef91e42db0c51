"""Draw printed cards: frozen values in, PDF out."""

from draws.cards.printing.sheets import preview, roll, sheets
from draws.cards.printing.values import Printed

__all__ = ["Printed", "preview", "roll", "sheets"]
