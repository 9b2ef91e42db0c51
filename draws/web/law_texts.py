"""What a rule of the law says, in short, for whoever asks a page "why?".

Pages name rules in brackets, "(R53)"; `rule_links.js` makes a link of it for staff, who need not know them
by number. Inspectors see the numbers.
"""

from __future__ import annotations

import re

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from bingo import catalogues
from bingo.rules.rulebooks.cape_verde_2017 import CAPE_VERDE_2017

LAW = catalogues.words_beside(__file__)["law"]
NUMBER = re.compile(r"R(\d{1,3})")
MOST = 6  # rules of one question


@require_GET
@login_required
def why(request: HttpRequest) -> HttpResponse:
    """Show what the rules named say, as a page, or as the part of one that is asked for."""
    asked = NUMBER.findall(request.GET.get("rules", ""))[:MOST]
    rules = [
        (source(request, number), LAW[f"R{number}"]) for number in asked if f"R{number}" in LAW
    ]
    part = request.headers.get("X-Requested-With") == "why"
    return render(request, "web/why_part.html" if part else "web/why.html", {"rules": rules})


def source(request: HttpRequest, number: str) -> str:
    """Say where a rule stands: in the hall's own law, or in the one this system follows too."""
    hall = getattr(request.user, "hall", None)
    own = hall is not None and hall.rulebook == CAPE_VERDE_2017.code
    words = (
        _("Rule %(number)s of Portaria 1/2017")
        if own
        else _("This system's rule %(number)s, after Portaria 1/2017")
    )
    return words % {"number": number}
