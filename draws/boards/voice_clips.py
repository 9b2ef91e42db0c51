"""The words of each recorded clip of the hall's voice, by language and name."""

import itertools
from collections.abc import Collection

from bingo.rules import formats, rulebooks
from bingo.rules.formats import CODES, Format
from bingo.rules.patterns import COLUMN, CORNERS, LINE, LINES, ROWS
from bingo.rules.rulebooks import announcement_words
from bingo.rules.rulebooks.announcement_words import FIGURES

LANGUAGES = ("pt", "es", "gl", "ca", "en")
HIGHEST = 90
LETTERS = "BINGO"

RECALLED = {
    "pt": "Fica sem efeito.",
    "es": "Queda sin efecto.",
    "gl": "Queda sen efecto.",
    "ca": "Queda sense efecte.",
    "en": "Is recalled.",
}

TRAINING = {
    "pt": "Treino.",
    "es": "Prácticas.",
    "gl": "Prácticas.",
    "ca": "Pràctiques.",
    "en": "Training.",
}

# The names that the symbols have on the pages, in the order of their numbers (R80).
SYMBOLS = {
    "pt": (
        "Sol, Nuvem, Floco de neve, Montanha, Palmeira, Flor, Maçã, Cerejas, Banana, Milho, "
        "Peixe, Gato, Caracol, Borboleta, Caranguejo, Cobra, Coelho, Elefante, Girafa, Pinguim, "
        "Chave, Casa, Barco, Guarda-chuva, Guitarra, Bicicleta, Relógio, Tesoura, Bule, Cadeira"
    ),
    "es": (
        "Sol, Nube, Copo de nieve, Montaña, Palmera, Flor, Manzana, Cerezas, Plátano, Maíz, "
        "Pez, Gato, Caracol, Mariposa, Cangrejo, Serpiente, Conejo, Elefante, Jirafa, Pingüino, "
        "Llave, Casa, Barco, Paraguas, Guitarra, Bicicleta, Reloj, Tijeras, Tetera, Silla"
    ),
    "gl": (
        "Sol, Nube, Folerpa de neve, Montaña, Palmeira, Flor, Mazá, Cereixas, Plátano, Millo, "
        "Peixe, Gato, Caracol, Bolboreta, Cangrexo, Serpe, Coello, Elefante, Xirafa, Pingüín, "
        "Chave, Casa, Barco, Paraugas, Guitarra, Bicicleta, Reloxo, Tesoiras, Teteira, Cadeira"
    ),
    "ca": (
        "Sol, Núvol, Floc de neu, Muntanya, Palmera, Flor, Poma, Cireres, Plàtan, Panotxa, "
        "Peix, Gat, Cargol, Papallona, Cranc, Serp, Conill, Elefant, Girafa, Pingüí, "
        "Clau, Casa, Vaixell, Paraigua, Guitarra, Bicicleta, Rellotge, Tisores, Tetera, Cadira"
    ),
    "en": (
        "The sun, Cloud, Snowflake, Mountain, Palm tree, Flower, Apple, Cherries, Banana, Corn, "
        "Fish, Cat, Snail, Butterfly, Crab, Snake, Rabbit, Elephant, Giraffe, Penguin, "
        "Key, House, Boat, Umbrella, Guitar, Bicycle, Clock, Scissors, Teapot, Chair"
    ),
}

FIGURE = "wins_figure"

UNITS = "cero un dous tres catro cinco seis sete oito nove dez once doce trece catorce quince"
UNITS_OF_GALICIAN = (*UNITS.split(), "dezaseis", "dezasete", "dezaoito", "dezanove")
TENS_OF_GALICIAN = [
    "vinte",
    "trinta",
    "corenta",
    "cincuenta",
    "sesenta",
    "setenta",
    "oitenta",
    "noventa",
]


def clips(language: str) -> dict[str, str]:
    """Name of every clip and its words in one language: numbers 1-90, letters, phrases (R31, R54)."""
    return (
        {str(number): words(number, language) for number in range(1, HIGHEST + 1)}
        # With its stop an English letter is an abbreviation, which the synthesiser cuts off.
        | {f"letter_{letter.lower()}": letter for letter in LETTERS}
        | phrases(language)
        | symbols(language)
        | what_wins(language)
    )


def symbols(language: str) -> dict[str, str]:
    """Return name and words of the thirty symbols, by which a game of symbols is called (R80)."""
    named = SYMBOLS[language].split(", ")
    return {symbol(number): f"{said}." for number, said in enumerate(named, 1)}


def symbol(number: int) -> str:
    """Return the name of the clip of the symbol that stands for a number."""
    return f"symbol_{CODES[number - 1]}"


def what_wins(language: str) -> dict[str, str]:
    """Return name and words of what is said with the sale: what wins each prize (R67, R75, R84)."""
    said = announcement_words.WINNING[language]
    told = {
        wins(COLUMN): said.column_told.format(wins=said.column),
        wins(CORNERS): said.corners_told.format(wins=said.corners),
        FIGURE: FIGURES[language].shown,
    }
    kinds: list[tuple[formats.Format, tuple[str, ...]]] = [(formats.NINETY, (ROWS,))]
    for n in range(1, len(LINES) + 1):
        kinds += [(formats.EIGHTY, counts) for counts in itertools.combinations(LINES, n)]
    for format, counts in kinds:
        line = announcement_words.line_in_words(format, counts, language=language)
        told[line_wins(format, counts)] = said.line_told.format(wins=line)
    return told


def line_wins(format: Format, counts: Collection[str]) -> str:
    """Return the name of the clip that says what counts as a line; `counts` is not empty."""
    if not format.full:
        return wins("line_of_three")
    return wins("_".join([LINE, *(kind for kind in LINES if kind in counts)]))


def wins(what: str) -> str:
    """Return the name of the clip that says what wins a prize."""
    return f"wins_{what}"


def phrases(language: str) -> dict[str, str]:
    """Name and words of what a page asks and tells aloud, as the rulebooks word it (R40, R46, R53)."""
    found = {"recalled": RECALLED[language], "training": TRAINING[language]}
    for code, book in rulebooks.RULEBOOKS.items():
        said = book.speeches[language].single
        found |= {draw(code): said.draw_opening, "last_game": said.last_game}
        found |= {f"more_{name}": question for name, question in said.more.items()}
    return found


def draw(rulebook: str) -> str:
    """Name of the clip that opens the draw, which each law words otherwise (R40 c, BOE IV)."""
    return f"draw_{rulebook}"


def words(number: int, language: str) -> str:
    """A number as it is said; from ten on its two digits follow, so that 67 is not heard as 77."""
    whole = _spelt(number, language)
    if number < 10:
        return f"{whole}."
    tens, units = divmod(number, 10)
    return f"{whole}, {_spelt(tens, language)} {_spelt(units, language)}."


def _spelt(number: int, language: str) -> str:
    if language != "gl":
        return str(number)
    if number < len(UNITS_OF_GALICIAN):
        return UNITS_OF_GALICIAN[number]
    tens, units = divmod(number, 10)
    ten = TENS_OF_GALICIAN[tens - 2]
    return f"{ten} e {UNITS_OF_GALICIAN[units]}" if units else ten
