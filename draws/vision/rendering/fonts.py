"""The typefaces that balls are printed in: one lot to train on, another to test with."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

SYSTEM = Path("/usr/share/fonts")
FEWEST = 100  # faces that it takes to teach with
# Debian's packages of these are named in docs/reading-balls.md. Faces with old-style figures,
# whose 6 stands higher than their 9, are left out.
TRAINED = (
    "truetype/liberation*/Liberation*.ttf",
    "truetype/freefont/Free*.ttf",
    "opentype/urw-base35/Nimbus*.otf",
    "opentype/urw-base35/URWGothic*.otf",
    "opentype/urw-base35/URWBookman*.otf",
    "opentype/urw-base35/C059*.otf",
    "truetype/lato/Lato-*.ttf",
    "opentype/inter/Inter-*.otf",
    "truetype/dejavu/DejaVu*.ttf",
    "truetype/open-sans/OpenSans*.ttf",
    "**/Cantarell*.otf",
    "truetype/quicksand/Quicksand*.ttf",
    "truetype/crosextra/Carlito*.ttf",
    "truetype/jura/Jura*.ttf",
    "truetype/play/Play*.ttf",
    "truetype/league-spartan/*.ttf",
    "opentype/league-spartan/*.otf",
    "truetype/roboto-slab/*.ttf",
    "**/RobotoSlab*.*tf",
    "truetype/hack/Hack*.ttf",
    "**/BebasNeue*.otf",
    "truetype/dosis/Dosis*.ttf",
    "**/Cabin*.*tf",
    "truetype/noto/NotoSans-*.ttf",
    "truetype/noto/NotoSerif-*.ttf",
    "truetype/noto/NotoSansDisplay-*.ttf",
)
UNFIT = ("Thin", "Hairline", "ExtraLight", "UltraLight", "FreeSerif", "SansMonoOblique", "Dingbats")
# Packages of the Python index, none of whose faces is among those trained on.
TESTED = (
    "font_roboto",
    "font_manrope",
    "font_hanken_grotesk",
    "font_fredoka_one",
    "font_source_sans_pro",
    "font_caladea",
)


def training_fonts() -> tuple[Path, ...]:
    """Give the files of the faces trained on that this machine has, in a fixed order."""
    found = {path for pattern in TRAINED for path in SYSTEM.glob(pattern)}
    return tuple(sorted(path for path in found if not any(word in path.name for word in UNFIT)))


def enough_training_fonts() -> tuple[Path, ...]:
    """Give the faces trained on. Raises LookupError, in words, where too few are installed."""
    found = training_fonts()
    if len(found) < FEWEST:
        words = f"{len(found)} typefaces found, {FEWEST} needed: see docs/reading-balls.md"
        raise LookupError(words)
    return found


def test_fonts() -> tuple[Path, ...]:
    """Give the files of the faces kept for tests that are installed, in a fixed order."""
    found = (path for name in TESTED for path in _files(name))
    return tuple(sorted(path for path in found if not any(word in path.name for word in UNFIT)))


def house_font() -> Path:
    """Give the face that is always installed: that of the documents, bold."""
    return next(path for path in _files("font_source_sans_pro") if path.stem.endswith("-Bold"))


def _files(package: str) -> list[Path]:
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return [path for folder in folders or () for path in sorted(Path(folder).rglob("*.[to]tf"))]
