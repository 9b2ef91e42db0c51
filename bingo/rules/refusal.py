"""A refusal: what the rules do not allow, as a code and values for the edge to put into words."""


class Refusal(Exception):
    """A thing the rules refuse: `code` names the reason, `values` fills its sentence.

    Two refusals are equal when code and values are. Never carries a sentence.
    """

    code: str
    values: dict[str, object]

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values

    def __str__(self) -> str:
        return (
            f"{self.code}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"
        )

    def __repr__(self) -> str:
        return f"Refusal({self})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return (self.code, self.values) == (other.code, other.values)

    def __hash__(self) -> int:
        # Values may be unhashable, so only the code counts; equal refusals still hash alike.
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        # An exception pickles its positional arguments only, which would lose the values.
        return _rebuilt, (self.code, self.values)


def _rebuilt(code: str, values: dict[str, object]) -> Refusal:
    return Refusal(code, **values)
