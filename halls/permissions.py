"""Who may do what: the roles of a hall, and one table from command to roles (BOE III)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from bingo.rules.refusal import Refusal


class Role(TextChoices):
    """What somebody does in the hall this evening."""

    CASHIER = "cashier", _("cashier")
    SELLER = "seller", _("floor seller")
    FLOOR_ASSISTANT = "floor_assistant", _("floor assistant")
    DOOR = "door", _("door")
    CALLER = "caller", _("caller")
    TABLE_CHIEF = "table_chief", _("table chief")
    HALL_MANAGER = "hall_manager", _("hall manager")
    INSPECTOR = "inspector", _("inspector")


class Worker(Protocol):
    """Whoever asks: a person of a hall, with roles."""

    is_active: bool
    hall_id: int
    roles: list[str]


CASHIER, CALLER = Role.CASHIER, Role.CALLER
TABLE_CHIEF, HALL_MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER
FLOOR_ASSISTANT, DOOR = Role.FLOOR_ASSISTANT, Role.DOOR

COMMANDS: Mapping[str, tuple[Role, ...]] = MappingProxyType(
    {
        "session_opened": (HALL_MANAGER,),
        "session_closed": (HALL_MANAGER,),
        "session_end_planned": (HALL_MANAGER,),
        "last_game_announced": (CALLER, TABLE_CHIEF),
        "shift_opened": (CASHIER,),
        "cash_moved": (HALL_MANAGER, CASHIER),
        "shift_closed": (CASHIER, HALL_MANAGER),
        "note_recorded": (HALL_MANAGER, TABLE_CHIEF),
        "complaint_opened": (HALL_MANAGER, TABLE_CHIEF),
        "complaint_decided": (HALL_MANAGER, TABLE_CHIEF),
        "authorisation_recorded": (HALL_MANAGER,),
        "policy_set": (HALL_MANAGER,),
        "retention_set": (HALL_MANAGER,),
        "staff_changed": (HALL_MANAGER,),
        "inspector_changed": (Role.INSPECTOR,),
        "tills_changed": (HALL_MANAGER,),
        "factor_removed": (HALL_MANAGER, Role.INSPECTOR),
        "provider_unlinked": (HALL_MANAGER,),
        "till_browser_changed": (HALL_MANAGER,),
        "second_factor_set": (HALL_MANAGER,),
        "jackpot_funded": (HALL_MANAGER,),
        "jackpot_moved": (HALL_MANAGER,),
        "jackpot_ended": (HALL_MANAGER,),
        "jackpot_linked": (HALL_MANAGER,),
        "link_funded": (HALL_MANAGER,),
        "link_moved": (HALL_MANAGER,),
        "link_ended": (HALL_MANAGER,),
        "device_registered": (HALL_MANAGER,),
        "device_retired": (HALL_MANAGER,),
        "ball_set_registered": (HALL_MANAGER,),
        "ball_set_used": (HALL_MANAGER, TABLE_CHIEF),
        "ball_set_kept": (HALL_MANAGER, TABLE_CHIEF),
        "ball_set_retired": (HALL_MANAGER,),
        "ball_replaced": (HALL_MANAGER, TABLE_CHIEF),
        "ball_set_inspected": (HALL_MANAGER, TABLE_CHIEF),
        "balls_called": (CALLER, TABLE_CHIEF, HALL_MANAGER),
        "balls_enrolled": (HALL_MANAGER, TABLE_CHIEF),
        "equipment_checked": (HALL_MANAGER, TABLE_CHIEF),
        "equipment_waived": (HALL_MANAGER,),
        "duty_left_out": (HALL_MANAGER,),
        "approval_recorded": (HALL_MANAGER,),
        "breakdown_opened": (HALL_MANAGER, TABLE_CHIEF),
        "breakdown_ended": (HALL_MANAGER, TABLE_CHIEF),
        "camera_set": (HALL_MANAGER,),
        "series_published": (HALL_MANAGER,),
        "pattern_saved": (HALL_MANAGER,),
        "issue_received": (HALL_MANAGER,),
        "issue_counted": (HALL_MANAGER,),
        "cards_retired": (HALL_MANAGER,),
        "issue_withdrawn": (HALL_MANAGER,),
        "issue_reinstated": (HALL_MANAGER,),
        "issue_sent": (HALL_MANAGER,),
        "transfer_recalled": (HALL_MANAGER,),
        "print_ordered": (HALL_MANAGER,),
        "print_cancelled": (HALL_MANAGER,),
        "game_opened": (HALL_MANAGER, TABLE_CHIEF),
        "second_half_opened": (HALL_MANAGER, TABLE_CHIEF),
        "second_issue_opened": (HALL_MANAGER, TABLE_CHIEF),
        "issue_added": (HALL_MANAGER, TABLE_CHIEF),
        "sale_announced": (CALLER,),
        "cards_sold": (CASHIER,),
        "sale_taken_back": (CASHIER,),
        "cards_handed_out": (CASHIER,),
        "block_settled": (CASHIER,),
        "block_handed_over": (CASHIER,),
        "cards_transferred": (CASHIER,),
        "cards_written_off": (CASHIER, TABLE_CHIEF, HALL_MANAGER),
        "sale_closed": (CALLER,),
        "draw_announced": (CALLER,),
        "draw_taken_over": (CALLER,),
        "ball_announced": (CALLER,),
        "ball_recalled": (CALLER,),
        "source_changed": (CALLER, TABLE_CHIEF, HALL_MANAGER),
        "reading_dismissed": (CALLER, TABLE_CHIEF, HALL_MANAGER),
        "game_suspended": (CALLER, TABLE_CHIEF),
        "game_resumed": (TABLE_CHIEF,),
        "claim_called": (CALLER,),
        "claim_checked": (TABLE_CHIEF,),
        "refusal_reversed": (TABLE_CHIEF,),
        "card_shown": (TABLE_CHIEF,),
        "window_opened": (TABLE_CHIEF,),
        "window_closed": (TABLE_CHIEF,),
        "draw_resumed": (TABLE_CHIEF,),
        "game_finished": (TABLE_CHIEF,),
        "game_voided": (TABLE_CHIEF,),
        "prize_paid": (CASHIER,),
        "cards_refunded": (CASHIER,),
        "prize_set_aside": (CASHIER, TABLE_CHIEF, HALL_MANAGER),
        "refund_set_aside": (CASHIER, TABLE_CHIEF, HALL_MANAGER),
        "unclaimed_paid": (CASHIER,),
        "unclaimed_expired": (HALL_MANAGER,),
        "entry_completed": (TABLE_CHIEF,),
        "person_admitted": (DOOR, HALL_MANAGER),
        "person_left": (DOOR, HALL_MANAGER),
        "admission_refused": (DOOR, HALL_MANAGER),
        "inside_counted": (DOOR, HALL_MANAGER),
        "exclusion_added": (HALL_MANAGER,),
        "exclusion_lifted": (HALL_MANAGER,),
        "card_carried": (FLOOR_ASSISTANT,),
        "used_cards_collected": (FLOOR_ASSISTANT,),
        "used_cards_destroyed": (HALL_MANAGER, TABLE_CHIEF),
        "winning_cards_destroyed": (HALL_MANAGER,),
        "kept_card_lost": (HALL_MANAGER,),
        "case_opened": (HALL_MANAGER,),
        "case_closed": (HALL_MANAGER,),
        "evidence_handed_over": (HALL_MANAGER,),
        "acta_rectified": (HALL_MANAGER,),
        "acta_acknowledged": (Role.INSPECTOR,),
        "acta_remarked": (Role.INSPECTOR,),
        "remark_answered": (HALL_MANAGER,),
        "checkpoint_key_changed": (HALL_MANAGER,),
        "checkpoint_history_set_back": (HALL_MANAGER,),
        "checkpoint_folder_chosen": (HALL_MANAGER,),
    }
)


def require(person: Worker, command: str, *, hall: int) -> None:
    """Let the person command the hall of that id.

    Raises Refusal not_allowed: wrong role, other hall, no longer active.
    """
    allowed = COMMANDS[command]
    if not person.is_active or person.hall_id != hall or not set(allowed) & set(person.roles):
        raise Refusal("not_allowed", roles=[role.value for role in allowed])
