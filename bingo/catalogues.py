"""Message catalogues without gettext's tools: extract, check and compile translations.

What a room says by a code stands in its `messages.toml`: `words_beside` reads it.

Portuguese is kept in two spellings. Portaria n.º 1/2017 writes "acta", "extracção", "infracção":
the spelling from before the agreement of 1990, which a hall has unless it chooses the other. The
catalogue may hold a word in either; what Django reads has them all in one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import gettext_lazy
from django.utils.translation.template import templatize

from bingo import setting

BEFORE, AGREED = "1945", "1990"
SPELLINGS = (BEFORE, AGREED)
VARIABLE = "BINGO_PORTUGUESE"
TABLES = "messages.toml"  # what is said by a code, beside the module that says it

# Beginnings of words, by the agreement → before it; those with a mark at their end are whole words.
STEMS: Mapping[str, str] = MappingProxyType(
    {
        "ata|": "acta", "atas|": "actas", "ação|": "acção", "ações|": "acções",
        "adot": "adopt", "afet": "afect", "aspeto": "aspecto", "ativ": "activ", "atual": "actual",
        "caráter": "carácter", "coleç": "colecç", "conceç": "concepç", "correç": "correcç",
        "correto": "correcto", "correta": "correcta", "desativ": "desactiv",
        "desatualiz": "desactualiz", "detet": "detect", "direç": "direcç", "direta": "directa",
        "direto": "directo", "efetiv": "efectiv", "efetu": "efectu", "eletr": "electr",
        "exata": "exacta", "exato": "exacto", "exceç": "excepç", "excet": "except",
        "extraç": "extracç", "extrator": "extractor", "fator|": "factor", "fatores|": "factores", "fatur": "factur", "fraç": "fracç",
        "incorret": "incorrect", "infraç": "infracç", "inspecion": "inspeccion",
        "inspeç": "inspecç", "inspet": "inspect", "leem|": "lêem", "objet": "object",
        "perceç": "percepç", "percetív": "perceptív", "projet": "project", "proteç": "protecç",
        "receç": "recepç", "respetiv": "respectiv", "retific": "rectific",
        "seleç": "selecç", "selecion": "seleccion", "setor": "sector",
        "suscetív": "susceptív", "teto|": "tecto", "tetos|": "tectos", "veem|": "vêem",
    }
)  # fmt: skip


def chosen() -> str:
    """Return the spelling that this installation has. Raises ValueError for one that does not exist."""
    spelling = setting(VARIABLE, BEFORE)
    if spelling not in SPELLINGS:
        raise ValueError(f"{VARIABLE} is one of {', '.join(SPELLINGS)}, not {spelling}")
    return spelling


def respelled(text: str, *, spelling: str) -> str:
    """Return a Portuguese text with all its words in one spelling; those in it already stay."""
    pattern, words = _WAYS[spelling]
    return pattern.sub(lambda found: _cased(words[found[0].lower()], found[0]), text)


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[0].upper() + word[1:] if like[0].isupper() else word


def _way(stems: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the words of one spelling, and the other's by them."""
    sides = [re.escape(one.removesuffix("|")) + r"\b" * one.endswith("|") for one in stems]
    # Neither an address nor a place for a value is a word.
    pattern = re.compile(r"(?<![\w@.\-/{])(?<!%\()(?:" + "|".join(sides) + ")", re.IGNORECASE)
    return pattern, {one.removesuffix("|"): word.removesuffix("|") for one, word in stems.items()}


_CHANGED = {one: word for one, word in STEMS.items() if one.removesuffix("|") != word}
_BACK = {word + "|" * one.endswith("|"): one.removesuffix("|") for one, word in _CHANGED.items()}
_WAYS = MappingProxyType({BEFORE: _way(_CHANGED), AGREED: _way(_BACK)})


PORTUGUESE = "pt"
LANGUAGES = ("pt", "es", "gl", "ca", "en")
SOURCE = "en"  # what messages are written in: its catalogue has those alone that it says otherwise
SOURCES = ("bingo", "halls", "draws")
KEYWORDS = {
    "_": None,
    "_now": None,
    "both": None,
    "along": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
FIELDS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def extract_template(file: IO[bytes], keywords: Any, comments: Any, options: Any) -> Iterator[Any]:
    """Extract a Django template's messages, for Babel."""
    source = templatize(file.read().decode())
    # What is left of the markup would be indented Python.
    flat = "\n".join(line.lstrip() for line in source.splitlines())
    yield from extract_python(BytesIO(flat.encode()), keywords, comments, options)


def words_beside(module: str) -> Mapping[str, Any]:
    """Return the tables of `messages.toml` beside a module, by its `__file__`.

    Each word is in the reader's language.
    """
    text = Path(module).with_name(TABLES).read_text(encoding="utf-8")
    tables: Mapping[str, Any] = _said(tomllib.loads(text))
    return tables


def _said(value: Any) -> Any:
    if isinstance(value, str):
        return gettext_lazy(value)
    return {code: _said(one) for code, one in value.items()}


def extract_tables(file: IO[bytes], *_how: Any, **_options: Any) -> Iterator[Any]:
    """Extract the messages of a file of tables, each of whose values is one, for Babel."""
    waiting: list[Any] = [tomllib.load(file)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield 0, None, value, []
        else:
            waiting += value.values()


def wanted(root: Path) -> Catalog:
    """Return every message of the sources below `root`."""
    catalog = Catalog(project="bingo-hall", charset="utf-8")
    ways = {"*.py": "python", TABLES: extract_tables}
    files: list[tuple[Path, Any]] = [
        (path, method)
        for name in SOURCES
        for pattern, method in ways.items()
        for path in sorted((root / name).rglob(pattern))
    ]
    files += [(path, extract_template) for path in sorted((root / "templates").rglob("*.html"))]
    for path, method in files:
        version = path.stat()
        for message, context in _messages(path, method, version.st_mtime_ns, version.st_size):
            catalog.add(message, locations=[(str(path.relative_to(root)), 0)], context=context)
    return catalog


@cache
def _messages(path: Path, method: Any, _changed: int, _size: int) -> list[tuple[Any, Any]]:
    """Return a file's messages with their contexts; each language asks for those of all files."""
    with path.open("rb") as file:
        return [
            (message, context)
            for _line, message, _, context in extract(method, file, keywords=KEYWORDS)
        ]


def needed(root: Path, language: str) -> Catalog:
    """Return the messages that a language must translate; the sources' own, none but those it has."""
    catalog = wanted(root)
    if language == SOURCE:
        own = kept(root, language)
        for message in list(catalog):
            if message.id and own.get(message.id, message.context) is None:
                catalog.delete(message.id, message.context)
    return catalog


def kept(root: Path, language: str) -> Catalog:
    """Return a language's catalogue as it is kept; empty when there is none."""
    path = file_of(root, language)
    if not path.exists():
        return Catalog(locale=language, project="bingo-hall", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def file_of(root: Path, language: str) -> Path:
    """Return the place of a language's catalogue."""
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def update(root: Path, language: str) -> int:
    """Bring a catalogue up to the sources; return how many messages await translation."""
    catalog = kept(root, language)
    catalog.update(needed(root, language), no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    path = file_of(root, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=100, no_location=True, omit_header=False, sort_output=True)
    return len(list(faults(root, language)))


def compile_all(root: Path) -> None:
    """Write the binary catalogues that Django reads, each whole: others may read meanwhile."""
    for language in LANGUAGES:
        path = file_of(root, language).with_suffix(".mo")
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            write_mo(file, in_one_spelling(kept(root, language)))
        Path(file.name).replace(path)
        path.chmod(0o644)
    if (source := file_of(root, PORTUGUESE)).exists():
        _spelt(source).write_text(chosen())


def in_one_spelling(catalog: Catalog) -> Catalog:
    """Respell what is said in Portuguese as this installation does."""
    if catalog.locale_identifier != PORTUGUESE:
        return catalog
    for message in catalog:
        if message.id and message.string:
            told = message.string
            message.string = (
                _respelled(told) if isinstance(told, str) else tuple(map(_respelled, told))
            )
    return catalog


def _respelled(text: str) -> str:
    return respelled(text, spelling=chosen())


def _spelt(source: Path) -> Path:
    """Return the file that tells in which spelling the Portuguese catalogue was compiled."""
    return source.with_suffix(".spelling")


def compile_stale(root: Path) -> None:
    """Compile where a binary catalogue is missing or older than what it is made from.

    Done before Django reads any: a catalogue that comes later is not seen by what has begun, which
    would be half in one language. A folder that may not be written in stays as it is, and the
    error output says so.
    """
    spelt = _spelt(file_of(root, PORTUGUESE))
    is_spelt = spelt.exists() and spelt.read_text() == chosen()
    if is_spelt and all(_is_fresh(file_of(root, language)) for language in LANGUAGES):
        return
    try:
        compile_all(root)
    except OSError as error:  # another owner's folder, or one that a service may only read
        print(
            f"Texts of other languages than English are missing or old: {error.strerror}, {root}. "
            "Run `manage.py catalogues --compile` there as who may write.",
            file=sys.stderr,
        )


def _is_fresh(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime


def faults(root: Path, language: str) -> Iterator[str]:
    """Return what is wrong with a language: missing, untranslated, fuzzy, stale, other placeholders."""
    catalog, source = kept(root, language), needed(root, language)
    for message in source:
        if message.id and (fault := _fault(catalog.get(message.id, message.context), message)):
            yield f"{language}: {fault}: {message.id!r}"
    for message in catalog:
        if message.id and source.get(message.id, message.context) is None:
            yield f"{language}: no longer used: {message.id!r}"


def _fault(found: Message | None, message: Message) -> str | None:
    if found is None:
        return "missing"
    texts = found.string if isinstance(found.string, tuple | list) else (found.string,)
    if not all(texts):
        return "not translated"
    if found.fuzzy:
        return "fuzzy"
    if any(_fields(text or "") != _fields(_last(message.id)) for text in texts):
        return "placeholders differ"
    return None


def _last(id: str | tuple[str, ...] | list[str]) -> str:
    """The plural of a message that has one: the form that names all its fields."""
    return id if isinstance(id, str) else id[-1]


def _fields(text: str) -> list[str]:
    return sorted(FIELDS.findall(text))
