"""python -m tests.bench.soak [MINUTES] [PLOT.svg] [PHOTOGRAPHS]: one camera read for long.

Its memory and its lag are told. PHOTOGRAPHS is a folder of real balls (`labels.csv`: file, number),
whose pictures roll in place of drawn ones. A rendered machine plays over RTSP without an end, at the pace of a camera; `read_balls`, a process
of its own, reads it. Every ball must be told, once, in its order, and neither may its memory grow
nor what it tells come later and later.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from reportlab.graphics import renderSVG
from reportlab.graphics.charts.lineplots import LinePlot
from reportlab.graphics.shapes import Drawing, String

from draws.balls.vision.rendering.photographed import Photographed, by_number, read_folder
from draws.balls.vision.rendering.scene import Act, ActTruth
from draws.balls.vision.rendering.streams import example
from draws.balls.vision.values import Picture
from tests.support.network_camera import NetworkCamera

ROOT = Path(__file__).resolve().parents[2]
MINUTES = 60.0
RATE = 30.0  # frames a second of the camera
LOOK = 5.0  # seconds between two looks at the memory
WARM = 60.0  # seconds after which a program has what it needs
REST = (1.5, 2.5)  # seconds a ball lies there
TILTED = 15.0  # degrees that a photographed ball is turned away, half of which nobody has seen
GROWTH = 8.0  # MiB an hour that are no leak
LATER = 0.25  # seconds by which the last minutes' lag may exceed the first's
PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20  # MiB


@dataclass(slots=True)
class Soak:
    """What was seen: (seconds, MiB) of memory, (seconds, lag in seconds) of balls, and the balls.

    `again` has each ball told a second time, and as what.
    """

    memory: list[tuple[float, float]] = field(default_factory=list)
    lags: list[tuple[float, float]] = field(default_factory=list)
    told: list[int | None] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    lost: int = 0
    again: list[tuple[int, int | None]] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """MiB an hour, by a straight line through all but the first minute."""
        seconds, used = np.array([one for one in self.memory if one[0] >= WARM]).T
        return float(np.polyfit(seconds, used, 1)[0] * 3600)

    @property
    def later(self) -> float:
        """Seconds by which the balls of the last tenth lag more than those of the first."""
        tenth = max(1, len(self.lags) // 10)
        first, last = (
            statistics.median(lag for _at, lag in part)
            for part in (self.lags[:tenth], self.lags[-tenth:])
        )
        return last - first

    @property
    def wrong(self) -> int:
        """Balls told as what they are not."""
        pairs = zip(self.told, self.shown, strict=True)
        return sum(told not in (None, shown) for told, shown in pairs)

    @property
    def asked(self) -> int:
        """Balls put to somebody."""
        return self.told.count(None)


def main() -> int:
    """Soak; exit status 1 when a ball is lost, wrong or late, or memory grows."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    photographs = by_number(read_folder(Path(sys.argv[3]))) if len(sys.argv) > 3 else None
    soak = _soak(minutes * 60, photographs)
    if len(sys.argv) > 2:
        renderSVG.drawToFile(_plot(soak), sys.argv[2])
    print(
        f"{minutes:g} minutes, {len(soak.told)} balls: {soak.asked} asked, {soak.wrong} wrong, "
        f"{soak.lost} lost, told twice: {soak.again or 'none'}"
    )
    told = Counter(
        (shown, told)
        for shown, told in zip(soak.shown, soak.told, strict=True)
        if told not in (None, shown)
    )
    print("shown, told, how often: " + ", ".join(f"{pair} {n}" for pair, n in told.items()))
    used = [mib for _at, mib in soak.memory]
    print(f"memory {used[0]:.0f} to {used[-1]:.0f} MiB, {soak.growth:+.1f} MiB an hour")
    lags = sorted(lag for _at, lag in soak.lags)
    print(
        f"told {statistics.median(lags):.2f} s after a ball's rest, the latest {lags[-1]:.2f} s, "
        f"{soak.later:+.2f} s from the first tenth to the last"
    )
    failed = soak.wrong or soak.lost or soak.again
    return int(bool(failed) or soak.growth > GROWTH or soak.later > LATER)


def _soak(seconds: float, photographs: dict[int, list[Picture]] | None) -> Soak:
    soak = Soak()
    scene, area = example(os.getpid() if photographs else 1, fps=RATE)
    scene.rest = REST
    if photographs:
        scene.paint, scene.tilt = Photographed(photographs), TILTED
    acts = (Act("ball", number) for number in _numbers(sorted(photographs or range(1, 91))))
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "camera.json"
        settings.write_text(json.dumps(area.document()))
        # The machine's own clock has run while the camera was set.
        played = scene.index / RATE
        with NetworkCamera(scene.play(acts), fps=RATE) as camera:
            begun = time.monotonic()
            reader = _reader(camera.url, settings, seconds)
            watch = threading.Thread(target=_weigh, args=(reader.pid, soak, begun))
            watch.start()
            lines = [
                (time.monotonic() - begun, json.loads(line)["number"])
                for line in reader.stdout or ()
            ]
            reader.wait()
            watch.join()
    # What lay there is known once it has gone.
    for now, number in lines:
        _told(soak, number, scene.labels, played + now)
    return soak


def _numbers(offered: list[int]) -> Iterator[int]:
    rng = np.random.default_rng(1)
    while True:
        yield from (int(number) for number in rng.permutation(offered))


def _reader(url: str, settings: Path, seconds: float) -> subprocess.Popen[bytes]:
    nowhere = {"DATABASE_URL": "postgresql:///none", "REDIS_URL": "unix:///none", "SECRET_KEY": "-"}
    command = [sys.executable, "manage.py", "read_balls", url, "--calibrated", str(settings)]
    command += ["--format", "90", "--repeats", "--json", "--seconds", str(seconds)]
    environment = {**os.environ, **nowhere, "CAMERA_LOOPBACK": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)


def _weigh(pid: int, soak: Soak, begun: float) -> None:
    """Note the memory of a process until it ends."""
    statm = Path("/proc", str(pid), "statm")
    while True:
        try:
            pages = int(statm.read_text().split()[1])
        except (OSError, IndexError):
            return
        if pages == 0:
            return
        soak.memory.append((time.monotonic() - begun, pages * PAGE))
        time.sleep(LOOK)


def _told(soak: Soak, number: int | None, labels: list[ActTruth], now: float) -> None:
    """Set what was told beside the ball that lay there last."""
    place = bisect(labels, now, key=lambda label: label.at) - 1
    ball = labels[place]
    last = soak.lags[-1][0] if soak.lags else ball.at - 1
    if ball.at <= last:
        soak.again.append((ball.act.number or 0, number))
        return
    soak.lost += sum(last < one.at < ball.at for one in labels[max(0, place - 20) : place])
    soak.told.append(number)
    soak.shown.append(ball.act.number or 0)
    soak.lags.append((ball.at, now - ball.at))


def _plot(soak: Soak) -> Drawing:
    """Draw the memory over the minutes, and the lag below it."""
    page = Drawing(640, 400)
    _line(page, soak.memory, "memory of the reader, MiB", at=230, unit=10.0)
    _line(page, soak.lags, "told after a ball's rest, seconds", at=40, unit=0.5)
    page.add(String(590, 12, "minutes", fontSize=9, textAnchor="end"))
    return page


def _line(
    page: Drawing, points: list[tuple[float, float]], title: str, *, at: int, unit: float
) -> None:
    plot = LinePlot()
    plot.x, plot.y, plot.width, plot.height = 50, at, 560, 130
    plot.data = [[(seconds / 60, value) for seconds, value in points]]
    plot.yValueAxis.valueMin = 0
    plot.yValueAxis.valueMax = unit * np.ceil(max(value for _at, value in points) * 1.15 / unit)
    plot.xValueAxis.valueMin = 0
    plot.lines[0].strokeWidth = 1.2
    page.add(plot)
    page.add(String(50, at + 142, title, fontSize=11))


if __name__ == "__main__":
    sys.exit(main())
