"""Which camera, set or showing an address or a form means: one of the person's own hall."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from functools import partial

from django.conf import settings
from django.http import Http404

from bingo.rules.refusal import Refusal
from draws.models import Camera, Enrolment
from draws.queries import enrolments
from draws.views.order import Order
from draws.views.page import Asked
from draws.vision import addresses
from draws.vision.addresses import Address
from draws.vision.values import Spot
from halls.models import BallSet
from halls.queries import equipment

RESOLVING = 3.0  # seconds that a name may take to be looked up


def camera_of(asked: Asked) -> Camera:
    """Give the camera that the address names. Raises Http404."""
    found = Camera.objects.filter(hall=asked.hall, pk=asked.place["camera"])
    camera = found.select_related("hall", "calibrated_by").first()
    if camera is None:
        raise Http404
    return camera


def showing_of(asked: Asked) -> Enrolment:
    """Give the enrolment or roll call that the address names. Raises Http404."""
    found = enrolments.of_hall(asked.hall).filter(pk=asked.place["enrolment"]).first()
    if found is None:
        raise Http404
    return found


def set_of(order: Order) -> BallSet:
    """Give the ball set that a form names. Raises Refusal: bad_input, unknown_ball_set."""
    found = equipment.sets(order.hall).filter(pk=order.integer("ball_set")).first()
    if found is None:
        raise Refusal("unknown_ball_set")
    return found


def address(words: str) -> Address:
    """Judge a camera's address, without waiting long for a name to be looked up.

    Raises Refusal: not_a_camera, address_not_allowed.
    """
    judge = partial(addresses.camera, words, loopback=settings.CAMERA_LOOPBACK)
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(judge).result(RESOLVING)
    except TooLong:
        raise Refusal("not_a_camera", address=addresses.shown(words)) from None
    finally:
        pool.shutdown(wait=False)


def spot_of(order: Order) -> Spot:
    """Give the circle that a form holds. Raises Refusal bad_input."""
    return Spot(*(float(order.integer(name)) for name in ("x", "y", "radius")))
