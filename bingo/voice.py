"""What a hall's voice says: the words of each recorded clip, by language and name."""

LANGUAGES = ("pt", "es", "gl", "ca", "en")
HIGHEST = 90
LETTERS = "BINGO"

PHRASES = {
    "draw": (
        "Começa a extração.",
        "Comienza la extracción.",
        "Comeza a extracción.",
        "Comença l'extracció.",
        "The draw begins.",
    ),
    "line": ("Linha.", "Línea.", "Liña.", "Línia.", "Line."),
    "bingo": ("Bingo.",) * 5,
    "more_line": (
        "Mais alguma linha?",
        "¿Alguna línea más?",
        "¿Algunha liña máis?",
        "Alguna línia més?",
        "Any more lines?",
    ),
    "more_bingo": (
        "Mais algum bingo?",
        "¿Algún bingo más?",
        "¿Algún bingo máis?",
        "Algun bingo més?",
        "Any more bingos?",
    ),
    "recalled": ("Anulada.", "Anulada.", "Anulada.", "Anul·lada.", "Recalled."),
}

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
    place = LANGUAGES.index(language)
    return (
        {str(number): words(number, language) for number in range(1, HIGHEST + 1)}
        | {f"letter_{letter.lower()}": f"{letter}." for letter in LETTERS}
        | {name: said[place] for name, said in PHRASES.items()}
    )


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
