"""Who may do what: one table from command to roles (BOE III)."""

from collections.abc import Mapping
from types import MappingProxyType

from bingo.rules.refusal import Refusal

from halls.models import Hall, Person, Role

CASHIER, SELLER, CALLER = Role.CASHIER, Role.SELLER, Role.CALLER
TABLE_CHIEF, HALL_MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER

COMMANDS: Mapping[str, tuple[Role, ...]] = MappingProxyType(
    {
        "session_opened": (HALL_MANAGER,),
        "session_closed": (HALL_MANAGER,),
        "shift_opened": (CASHIER,),
        "cash_moved": (HALL_MANAGER,),
        "shift_closed": (CASHIER,),
        "note_recorded": (HALL_MANAGER, TABLE_CHIEF),
        "series_published": (HALL_MANAGER,),
        "issue_received": (HALL_MANAGER,),
        "game_opened": (HALL_MANAGER, TABLE_CHIEF),
        "second_issue_opened": (HALL_MANAGER, TABLE_CHIEF),
        "sale_announced": (CALLER,),
        "cards_sold": (CASHIER,),
        "sale_closed": (CALLER,),
        "draw_announced": (CALLER,),
        "ball_announced": (CALLER,),
        "ball_recalled": (CALLER,),
        "claim_called": (CALLER,),
        "claim_checked": (TABLE_CHIEF,),
        "window_opened": (TABLE_CHIEF,),
        "window_closed": (TABLE_CHIEF,),
        "draw_resumed": (TABLE_CHIEF,),
        "game_finished": (TABLE_CHIEF,),
        "game_voided": (TABLE_CHIEF,),
        "prize_paid": (CASHIER,),
        "cards_refunded": (CASHIER,),
        "entry_completed": (TABLE_CHIEF,),
    }
)


def require(person: Person, hall: Hall, command: str) -> None:
    """Let the person go on. Raises Refusal not_allowed: wrong role, other hall, no longer active."""
    allowed = COMMANDS[command]
    if not person.is_active or person.hall_id != hall.pk or not set(allowed) & set(person.roles):
        raise Refusal("not_allowed", roles=[role.value for role in allowed])
