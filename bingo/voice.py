"""What a hall's voice says: the words of each recorded clip, by language and name."""

from bingo.rules import rulebooks

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
    )


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
