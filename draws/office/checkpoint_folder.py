"""The page on which the hall manager chooses the folder that checkpoints of the journal go to."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules.journal import LONGEST_FOLDER
from draws.web.forms import CommandForm
from draws.web.page import Context, Page, PageRequest, Success
from halls.checkpoints import folders, queries, services
from halls.models import CheckpointPlace, Role


def choose(order: CommandForm, _asked: PageRequest) -> Success:
    """Write to the folder at once, and from then on. Raises what `services.choose_folder` does."""
    # A path that a person types or pastes ends in a slash as well as not.
    folder = order.text("folder", longest=LONGEST_FOLDER)
    folder = folder.rstrip("/") or folder
    services.choose_folder(hall=order.hall, folder=folder, **order.who)
    place = CheckpointPlace.objects.filter(hall=order.hall, place=folder).first()
    here = reverse("checkpoint-folder")
    if place is None or place.fault or not place.number:
        return Success(_("The folder is noted; no checkpoint is there yet"), here, warning=True)
    if folders.is_on_our_disk(Path(folder)):
        text = _("The checkpoint is written, on the same disk as the hall's data")
        return Success(text, here, warning=True)
    return Success(_("The checkpoint is written"), here)


def context(asked: PageRequest) -> Context:
    """Return the folders in force with what stands there, and the disks that are offered."""
    held = {one.place: one for one in CheckpointPlace.objects.filter(hall=asked.hall)}
    return {
        "given": bool(settings.CHECKPOINT_DIRS),
        "places": [_place(one, held.get(one)) for one in queries.folders(asked.hall)],
        "faults": [queries.checkpoint_fault(one) for one in queries.faults(asked.hall)],
        "disks": folders.offered(folders.mounted()),
        "longest": LONGEST_FOLDER,
    }


def _place(folder: str, held: CheckpointPlace | None) -> Context:
    return {
        "folder": folder,
        "number": held.number if held and not held.fault else 0,
        "same_disk": folders.is_on_our_disk(Path(folder)),
    }


PAGE = Page(
    "checkpoint-folder",
    "first-steps/checkpoints/",
    "setup/checkpoint_folder.html",
    context,
    {"choose": choose},
    readers=(Role.HALL_MANAGER,),
)
