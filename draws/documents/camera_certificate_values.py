"""All that the certificate of a camera says; shares are per mille, hours the hall's own."""

from dataclasses import dataclass
from datetime import datetime

from draws.vision.measuring import Measured


@dataclass(frozen=True, slots=True)
class CameraCertificate:
    """A camera measured on a ball set; `pictures` holds a JPEG of each number.

    `settings` and `model` are the SHA-256 of the camera's settings and of the network, `gallery`
    that of the list of all pictures. `alike` counts the pictures that the comparison with the
    others read right, of `compared`, and `alike_wrong` those it read as another with certainty.
    """

    hall: str
    licence: str
    rulebook: str
    language: str
    currency: str
    camera: str
    address: str
    ball_set: str
    format: int
    maker: str
    by: str
    begun_at: datetime
    at: datetime
    settings: str
    model: str
    gallery: str
    measured: Measured
    compared: int
    alike: int
    alike_wrong: int
    pictures: dict[int, bytes]
    training: bool = False
