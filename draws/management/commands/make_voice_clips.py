"""Make the clips of the hall's voice anew with a free synthesiser (docs/voice.md)."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from draws.boards.voice_clips import LANGUAGES, clips

VOICES = {"pt": "pt-pt", "es": "es", "gl": "es", "ca": "ca", "en": "en-gb"}
PACE = "150"
BITS = "16k"
LIST = "clips.sha256"


class Command(BaseCommand):
    """Writes one Ogg Opus file a clip, and the list of them all; needs espeak-ng and ffmpeg."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder to write to, and the languages."""
        parser.add_argument("--to", type=Path, default=settings.BASE_DIR / "static" / "voice")
        parser.add_argument("--language", choices=LANGUAGES, action="append")
        parser.add_argument("--clip", action="append", help="only this clip; may be repeated")

    def handle(self, **options: Any) -> None:
        """Records the clips of each language asked for."""
        for language in options["language"] or LANGUAGES:
            folder = options["to"] / language
            folder.mkdir(parents=True, exist_ok=True)
            for name, said in clips(language).items():
                if not options["clip"] or name in options["clip"]:
                    _record(said, VOICES[language], folder / f"{name}.ogg")
        _list(options["to"])
        self.stdout.write(json.dumps({"to": str(options["to"])}))


def _list(folder: Path) -> None:
    """Write down what each clip is, as sha256sum does: a clip put in another's place is found."""
    found = sorted(folder.rglob("*.ogg"))
    lines = (f"{sha256(one.read_bytes()).hexdigest()}  {one.relative_to(folder)}" for one in found)
    (folder / LIST).write_text("\n".join(lines) + "\n")


def _record(said: str, voice: str, file: Path) -> None:
    speech = subprocess.run(
        ["espeak-ng", "-v", voice, "-s", PACE, "--stdout", said],
        check=True,
        capture_output=True,
    ).stdout
    exact = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1"]
    sound = ["-ac", "1", "-ar", "48000", "-c:a", "libopus", "-b:a", BITS]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", "-", *sound, *exact, str(file)],
        input=speech,
        check=True,
    )
