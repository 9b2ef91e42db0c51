"""Play a whole session without a browser, and leave its documents in a folder."""

from __future__ import annotations

import json as json_format
import sys
from pathlib import Path
from secrets import randbits
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandParser
from django.utils import timezone, translation

from bingo.rules import session_state
from bingo.rules.steps.drawing import CAMERA, RNG
from draws import trade_words
from draws.boards import board_png
from draws.cards import series_queries
from draws.demonstration import hall
from draws.demonstration.evening import CAPE_VERDE, COUNTRIES, Country
from draws.demonstration.film_process import FilmProcess
from draws.demonstration.play import play
from draws.demonstration.selling import build_summary, summary_table
from draws.models import Acta, Game
from draws.record import sealing
from draws.record.audit import audit
from draws.record.seal_queries import verify_acta
from draws.rng import client
from halls import setup
from halls.journal import queries as journal_queries
from halls.management.reporting import Report
from halls.models import Hall, Session


class Command(Report):
    """Exit code 0: played, audited, verified. 1: the audit or the acta's verification failed."""

    help = "Play a session of seven games through the services and write its documents."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --out, --source and --rulebook."""
        super().add_arguments(parser)
        default = Path(settings.BASE_DIR) / "demo"
        parser.add_argument("--out", type=Path, default=default, help="the folder to write into")
        parser.add_argument(
            "--source", choices=(CAMERA, RNG), default=CAMERA, help="where the balls come from"
        )
        parser.add_argument(
            "--rulebook",
            choices=tuple(COUNTRIES),
            default=CAPE_VERDE.rulebook,
            help="the law that the hall plays by, in its country's language and money",
        )

    def handle(self, *, out: Path, source: str, rulebook: str, json: bool, **_options: Any) -> None:
        """Prepare the database, play, seal, write, audit, verify."""
        eyes = FilmProcess(randbits(32)) if source == CAMERA else None
        try:
            self._play(out, rulebook, eyes=eyes, as_json=json)
        finally:
            if eyes:
                eyes.close()

    def _play(self, out: Path, rulebook: str, *, eyes: FilmProcess | None, as_json: bool) -> None:
        """Play the session while `eyes` read its balls, and write and verify what it leaves."""
        self._say("preparing the database")
        call_command("prepare_database", verbosity=0)
        self._say("drawing the cards of a hall and stocking them")
        hall = self._hall(COUNTRIES[rulebook])
        self._say("playing seven games")
        with client.ensured(settings.RNG_DIR):
            session = play(hall, eyes=eyes, progress=_show)
        self._say("writing and sealing the acta")
        sealed = sealing.seal_acta(session=session, at=timezone.now())
        hall.refresh_from_db()
        figures = build_summary(session)
        _write(out, session, sealed, figures)
        self._say("replaying the journal, comparing every row, verifying the seal")
        findings = audit(hall)
        verified = verify_acta(
            (out / "acta.pdf").read_bytes(),
            trust=(out / "certificate.pem").read_bytes(),
            journal=(out / "journal.jsonl").read_text(encoding="utf-8").split("\n")[:-1],
        )
        lines = [
            *summary_table(figures),
            "",
            f"audit: {hall.head_number} entries, {'whole' if not findings else findings[0]}",
            f"acta: {'good' if verified.good else verified.checks}, SHA-256 {verified.sha256}",
            f"written to {out}: " + ", ".join(sorted(file.name for file in out.iterdir())),
        ]
        self.report(figures, lines, as_json=as_json)
        if findings or not verified.good:
            raise SystemExit(1)

    def _say(self, phase: str) -> None:
        """Name the phase that begins, apart from what is printed for programs."""
        self.stderr.write(phase, style_func=str)

    def _hall(self, country: Country) -> Hall:
        """Make a hall of its own, so that no running hall is touched."""
        number = 1 + Hall.objects.filter(code__startswith=setup.PLAYED).count()
        return hall.make(
            code=f"{setup.PLAYED}{number}",
            name=f"{country.hall} {number}",
            at=timezone.now(),
            passwords={},
            prefix=f"demo{number}-",
            country=country,
        )


def _write(out: Path, session: Session, sealed: Acta, figures: dict[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "acta.pdf").write_bytes(sealed.pdf)
    (out / "certificate.pem").write_text(sealed.certificate)
    (out / "summary.json").write_text(_json(figures, indent=2), encoding="utf-8")
    with (out / "journal.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(journal_queries.export_lines(session.hall))
    first = session.games.select_related("issue__series").earliest("number")
    document = series_queries.document(first.issue.series)
    (out / "series.json").write_text(_json(document), encoding="utf-8")
    with translation.override(session.hall.language):
        (out / "board.png").write_bytes(board_png.draw_board(_board(first, session)))


def _json(value: Any, indent: int | None = None) -> str:
    return json_format.dumps(value, ensure_ascii=False, indent=indent) + "\n"


def _board(game: Game, session: Session) -> board_png.BoardValues:
    return board_png.BoardValues(
        hall=session.hall.name,
        game=game.number,
        phase=str(trade_words.PHASES[game.phase]),
        highest=game.issue.series.format,
        drawn=tuple(game.balls.values_list("number", flat=True)),
        price=game.face,
        cards_sold=game.cards,
        line=game.line,
        bingo=game.bingo,
        jackpot=session_state.load(session.state).terms["jackpot"]["balance"] + game.accrual,
        language=session.hall.language,
        currency=session.hall.currency,
    )


def _show(what: str, done: int, total: int) -> None:
    """Show how far it is, when a person is looking."""
    if not sys.stderr.isatty():
        return
    sys.stderr.write(f"\r\033[K{what}: {done} of {total}" + ("\n" if what == "games" else ""))
    sys.stderr.flush()
