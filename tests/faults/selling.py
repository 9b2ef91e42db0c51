"""Sells card after card at some tills at once, says each number once it is recorded; killed by its test."""

import os
import sys
from threading import Thread
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from django.utils import timezone  # noqa: E402  Django must be set up first

from draws.models import Game  # noqa: E402
from draws.sales import services as sales_services  # noqa: E402
from halls.models import Shift  # noqa: E402


def sell_on() -> None:
    """Sell one card after another."""
    game = Game.objects.select_related("session__hall", "issue").latest("pk")
    shift = Shift.objects.select_related("session__hall", "till", "cashier").get()
    asked: dict[str, Any] = {"game": game, "shift": shift, "by": shift.cashier}
    while True:
        for sale in sales_services.sell(quantity=1, at=timezone.now(), **asked):
            # One write is whole, whoever else writes.
            os.write(1, f"{sale.first}\n".encode())


for _thread in range(int(sys.argv[1])):
    Thread(target=sell_on).start()
