"""Works off one print by the worker's own task, telling how far it is and taking its time; killed by its test."""

import os
import sys
import time
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from django.conf import settings  # noqa: E402  Django must be set up first

from draws import tasks  # noqa: E402
from draws.cards import printing as document  # noqa: E402
from draws.cards import prints  # noqa: E402

settings.PRINTS_DIR = sys.argv[2]
pause = float(sys.argv[3])
draw = document.sheets


def slowly(*cards: Any, progress: Any, **asked: Any) -> int:
    """Draw as the worker does, with a pause wherever the drawing tells how far it is."""

    def told(drawn: int) -> None:
        progress(drawn)
        print(drawn, flush=True)
        time.sleep(pause)

    return int(draw(*cards, progress=told, **asked))


prints.LOOK = 0.0
document.sheets = slowly
tasks.print_cards(job_id=int(sys.argv[1]))
