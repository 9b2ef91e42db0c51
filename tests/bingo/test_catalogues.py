"""The message catalogues: everything said is translated, with the same values in it."""

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po, write_po
from django.conf import LazySettings
from django.utils import translation
from django.utils.translation import gettext

from bingo import catalogues

ROOT = Path(__file__).resolve().parents[2]
SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")  # of the tests, not of a clone


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project of its own: one source, one template, no catalogue."""
    (tmp_path / "bingo").mkdir()
    (tmp_path / "templates").mkdir()
    source = (
        "from django.utils.translation import gettext as _, ngettext\n"
        'A = _("Card %(card)s")\nB = _("Ball {number}")\n'
        'C = ngettext("%d card", "%d cards", 2)\nD = _f("not this")\n'
    )
    (tmp_path / "bingo" / "says.py").write_text(source)
    page = '{% load i18n %}{% translate "Sell" %}{% blocktranslate %}Next {{ n }}{% endblocktranslate %}'
    (tmp_path / "templates" / "page.html").write_text(page)
    return tmp_path


def written(project: Path, change: dict[str, str | tuple[str, str]]) -> None:
    """Translate messages of the Portuguese catalogue."""
    catalogues.update(project, "pt")
    path = catalogues.file_of(project, "pt")
    with path.open("rb") as file:
        catalog: Catalog = read_po(file, locale="pt")
    for message in catalog:
        one = message.id if isinstance(message.id, str) else message.id[0]
        if one in change:
            message.string = change[one]
    with path.open("wb") as file:
        write_po(file, catalog)


GOOD: dict[str, str | tuple[str, str]] = {
    "Card %(card)s": "Cartão %(card)s",
    "Ball {number}": "Bola {number}",
    "%d card": ("%d cartão", "%d cartões"),
    "Sell": "Vender",
    "Next %(n)s": "Próximo %(n)s",
}


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_everything_that_the_hall_says_is_translated(language: str) -> None:
    assert list(catalogues.faults(ROOT, language)) == []


def test_messages_of_sources_and_templates_are_found(project: Path) -> None:
    ids = {str(message.id) for message in catalogues.wanted(project) if message.id}
    assert ids == {
        "Card %(card)s", "Ball {number}", "('%d card', '%d cards')", "Sell", "Next %(n)s",
    }  # fmt: skip


def test_complete_catalogue_has_no_fault(project: Path) -> None:
    written(project, GOOD)
    assert list(catalogues.faults(project, "pt")) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"Sell": ""}, "not translated"),
        ({"Card %(card)s": "Cartão"}, "placeholders differ"),
        ({"Card %(card)s": "Cartão %(cards)s"}, "placeholders differ"),
        ({"Ball {number}": "Bola {numero}"}, "placeholders differ"),
        ({"%d card": ("um cartão", "%d cartões")}, "placeholders differ"),
        ({"%d card": ("%d cartão", "")}, "not translated"),
    ],
)
def test_bad_translation_is_named(
    project: Path, change: dict[str, str | tuple[str, str]], fault: str
) -> None:
    written(project, GOOD | change)
    found = list(catalogues.faults(project, "pt"))
    assert len(found) == 1
    assert fault in found[0]


def test_message_that_nobody_says_any_more_is_named_and_swept_out(project: Path) -> None:
    written(project, GOOD)
    (project / "templates" / "page.html").write_text("{% load i18n %}")
    assert list(catalogues.faults(project, "pt")) != []
    assert catalogues.update(project, "pt") == 0


def test_language_without_a_catalogue_is_all_missing(project: Path) -> None:
    assert len(list(catalogues.faults(project, "es"))) == 5


def english(project: Path, **said: str) -> None:
    """Keep messages that English says otherwise than the sources."""
    catalog = catalogues.kept(project, catalogues.SOURCE)
    for id, text in said.items():
        catalog.add(id.replace("_", " "), text)
    path = catalogues.file_of(project, catalogues.SOURCE)
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalog)


def test_english_needs_no_translation_of_what_the_sources_say_in_it(project: Path) -> None:
    assert list(catalogues.faults(project, "en")) == []
    english(project, Sell="Sell now")
    assert list(catalogues.faults(project, "en")) == []
    assert catalogues.update(project, "en") == 0
    kept = catalogues.kept(project, "en")
    assert [(one.id, one.string) for one in kept if one.id] == [("Sell", "Sell now")]


@pytest.mark.parametrize(
    ("id", "said", "fault"), [("Sell", "", "not translated"), ("Buy", "Buy now", "no longer used")]
)
def test_what_english_says_otherwise_is_checked_and_swept_out(
    project: Path, id: str, said: str, fault: str
) -> None:
    english(project, **{id: said})
    (found,) = catalogues.faults(project, "en")
    assert fault in found


@pytest.mark.parametrize("own", ["pt", "es"])
def test_english_falls_back_to_no_other_language(own: str, settings: LazySettings) -> None:
    settings.LANGUAGE_CODE = own
    with translation.override("en"):
        assert gettext("Hall manager") == "Hall manager"
        assert gettext("This field is required.") == "This field is required."


def said(catalog: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return each message, singular and plural, with what it is translated to."""

    def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
        return (text,) if isinstance(text, str) else tuple(text or ())

    return {forms(m.id): forms(m.string) for m in catalog if m.id and any(forms(m.string))}


@pytest.mark.slow
def test_compiled_catalogue_says_what_the_written_one_does(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale")
    catalogues.compile_all(tmp_path)
    for language in catalogues.LANGUAGES:
        source = catalogues.kept(tmp_path, language)
        with catalogues.file_of(tmp_path, language).with_suffix(".mo").open("rb") as file:
            compiled = read_mo(file)
        assert said(compiled) == said(catalogues.in_one_spelling(source))


@pytest.mark.slow
def test_catalogue_older_than_what_it_is_made_from_is_compiled_anew(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    catalogues.compile_stale(tmp_path)
    made = {
        language: catalogues.file_of(tmp_path, language).with_suffix(".mo")
        for language in catalogues.LANGUAGES
    }
    before = {language: file.stat().st_ino for language, file in made.items()}
    catalogues.compile_stale(tmp_path)
    assert {language: file.stat().st_ino for language, file in made.items()} == before
    os.utime(made["es"], (0, 0))
    catalogues.compile_stale(tmp_path)
    assert made["es"].stat().st_mtime > 0


def test_folder_that_may_only_be_read_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a service of systemd sees the project: a hall in English alone must not be silent."""
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(catalogues, "NamedTemporaryFile", read_only)
    catalogues.compile_stale(tmp_path)
    told = capsys.readouterr().err
    assert "Read-only file system" in told
    assert "manage.py catalogues --compile" in told


@pytest.mark.slow
def test_first_command_on_a_clean_clone_speaks_one_language(tmp_path: Path) -> None:
    """What is cloned holds no compiled catalogue; a document must not be half translated."""
    clone = tmp_path / "a clean clone"
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    assert not list(clone.rglob("*.mo"))
    environment = {name: value for name, value in os.environ.items() if name not in SERVERS}
    subprocess.run(
        [sys.executable, "manage.py", "demo", "--source", "rng", "--out", tmp_path / "evening"],
        cwd=clone, env=environment | {"BINGO_DATA": str(tmp_path / "data")}, check=True,
    )  # fmt: skip
    paper = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "evening" / "acta.pdf", "-"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    portuguese = catalogues.kept(ROOT, "pt")
    sentences = {
        str(message.id): str(message.string)
        for message in portuguese
        if isinstance(message.id, str) and len(message.id) > 12 and "%" not in message.id
    }
    left = {said for said, translated in sentences.items() if said != translated and said in paper}
    assert left == set()
    assert sum(translated in paper for translated in sentences.values()) > 50


def test_no_source_calls_its_messages_by_a_name_that_is_not_looked_for() -> None:
    """What is imported under another name would never reach the catalogues."""
    imported = re.compile(r"^from django\.utils\.translation import (\w+) as (\w+)$", re.MULTILINE)
    names = {
        (path.name, alias)
        for app in ("bingo", "halls", "draws")
        for path in (ROOT / app).rglob("*.py")
        for what, alias in imported.findall(path.read_text(encoding="utf-8"))
        if what in catalogues.KEYWORDS
    }
    assert {one for one in names if one[1] not in catalogues.KEYWORDS} == set()
    assert names, "the pattern finds none at all"


COUNTED = re.compile(
    r"(?:%\((?:all|cards|came|count|every|n|people)\)s|\{(?:cards|count|left|n)\}) (?:\w+ )?\w+s\b"
)
# Of these there are never one: balls of a jackpot, of a set, a whole series, seconds, freedom, money, prints.
NEVER_ONE = (" balls", "without equal columns", "for %(n)s seconds", "freedom", "more than %(n)s", "above %(n)s", "came too often", "in parts")  # fmt: skip


def test_count_before_its_noun_has_a_singular() -> None:
    english = catalogues.kept(ROOT, catalogues.SOURCE)
    said = (
        str(own.string if (own := english.get(one.id, one.context)) else one.id)
        for one in catalogues.wanted(ROOT)
        if isinstance(one.id, str)
    )
    assert [
        text for text in said if COUNTED.search(text) and not any(one in text for one in NEVER_ONE)
    ] == []
