"""Sells one card after another and says each number once it is recorded; killed by its test."""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from django.utils import timezone  # noqa: E402  Django must be set up first

from draws.models import Game  # noqa: E402
from draws.services import sales  # noqa: E402
from halls.models import Shift  # noqa: E402

game = Game.objects.select_related("session__hall").get()
shift = Shift.objects.select_related("session__hall", "till", "cashier").get()
while True:
    for sale in sales.sell(game=game, shift=shift, quantity=1, by=shift.cashier, at=timezone.now()):
        print(sale.first, flush=True)
