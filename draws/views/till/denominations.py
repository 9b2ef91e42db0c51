"""The notes and coins of a currency: to type the cash given, and to count a drawer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Denominations:
    """Notes and coins in use, the largest first, in minor units."""

    notes: tuple[int, ...] = ()
    coins: tuple[int, ...] = ()


NONE = Denominations()

# EUR: Regulation (EC) 974/98 and the ECB's series; CVE: those the Banco de Cabo Verde issues.
OF: Mapping[str, Denominations] = MappingProxyType(
    {
        "EUR": Denominations(
            notes=(500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00),
            coins=(2_00, 1_00, 50, 20, 10, 5, 2, 1),
        ),
        "CVE": Denominations(
            notes=(5000_00, 2000_00, 1000_00, 500_00, 200_00),
            coins=(100_00, 50_00, 20_00, 10_00, 5_00, 1_00),
        ),
    }
)


def of(currency: str) -> Denominations:
    """Give those of a currency, none where they are not known here."""
    return OF.get(currency, NONE)
