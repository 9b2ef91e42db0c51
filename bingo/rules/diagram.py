"""The life of a game as a Mermaid diagram, made from the table of what may follow what."""

from bingo.rules.game import FOLLOWS
from bingo.rules.state import Phase


def mermaid() -> str:
    """Give the state diagram of `game.FOLLOWS`: an arrow between two phases, its facts upon it."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.PREPARED}"]
    for phase, facts in FOLLOWS.items():
        if not facts:
            lines.append(f"    {phase} --> [*]")
        for target in dict.fromkeys(facts.values()):
            kinds = ", ".join(kind for kind, leads_to in facts.items() if leads_to is target)
            lines.append(f"    {phase} --> {target}: {kinds}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(mermaid(), end="")
