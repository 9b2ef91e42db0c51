"""What a rule of the law says, in short, for whoever asks a page "why?".

Pages name rules in brackets, "(R53)"; `rule_links.js` makes a link of it for staff, who need not know them
by number. Inspectors see the numbers; in a hall under another law nobody does.
"""

from __future__ import annotations

import re

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from bingo import catalogues

LAW = catalogues.words_beside(__file__)["law"]
NUMBER = re.compile(r"R(\d{1,3})")
MOST = 6  # rules of one question


@require_GET
@login_required
def why(request: HttpRequest) -> HttpResponse:
    """Show what the rules named say, as a page, or as the part of one that is asked for."""
    asked = NUMBER.findall(request.GET.get("rules", ""))[:MOST]
    said = _("Rule %(number)s of Portaria 1/2017")
    rules = [(said % {"number": one}, LAW[f"R{one}"]) for one in asked if f"R{one}" in LAW]
    part = request.headers.get("X-Requested-With") == "why"
    return render(request, "web/why_part.html" if part else "web/why.html", {"rules": rules})
