"""What the tests of camera certificate share with others."""

from datetime import UTC, datetime

import numpy as np

from draws.balls.camera_certificate import CameraCertificate
from draws.balls.vision.enrolment import Measured, Proof, ReadPicture, measure_measurement
from draws.balls.vision.jpeg_pictures import whole

AT = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


def measured(*wrong: int) -> Measured:
    proofs = []
    for number in range(1, 31):
        sure = ReadPicture(number, 990, "", ((number, 990),))
        proofs.append(Proof(number, sure, sure, 950))
    for share in wrong:
        as_17 = ReadPicture(17, share, "", ((17, share),))
        proofs.append(Proof(11, as_17, as_17, 0))
    return measure_measurement(proofs, numbers=range(1, 31), zeros=False)


def values() -> CameraCertificate:
    jpeg = whole(np.full((80, 80, 3), 200, np.uint8))
    return CameraCertificate(
        hall="Sala de Bingo", licence="1/2026", rulebook="Portaria n.º 1/2017", language="en",
        currency="CVE", camera="Saída", address="rtsp://192.168.1.30/exit", ball_set="T-30",
        format=30, zeros=False, maker="Bolas, Lda.", by="Ana Lima", begun_at=AT, at=AT, settings="a" * 64,
        model="b" * 64, gallery="c" * 64, measured=measured(), compared=60, alike=58, alike_wrong=0,
        pictures=dict.fromkeys(range(1, 31), jpeg),
    )  # fmt: skip
