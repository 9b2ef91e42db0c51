"""The commands of kept cards, cases, complaints and sealed actas."""

from __future__ import annotations

from typing import Any

from draws.custody import services as custody_services
from halls.models import JournalEntry, Role
from tests.support import complaints, custody_hall, floor_assistants, remarks
from tests.support.evening import Evening
from tests.support.service_commands.command import CHIEF, MANAGER, Command


def lose(
    evening: Evening, who: dict[str, Any], *, reason: str = "Não está no cofre"
) -> JournalEntry:
    """Record that the kept card is lost."""
    chief = evening.person(Role.TABLE_CHIEF)
    return custody_services.lose(
        hall=evening.hall, cards=[custody_hall.card(evening)], reason=reason, witness=chief, **who
    )


COMMANDS = (
    Command(
        "kept_card_lost", MANAGER, "paying", lose, lambda e, w: lose(e, w, reason="Molhado"),
        prepare=custody_hall.completed,
    ),
    Command(
        "complaint_opened", CHIEF, "window", complaints.opened,
        lambda e, w: complaints.opened(e, w, card=3),
    ),
    Command(
        "complaint_decided", MANAGER, "window", complaints.decided,
        lambda e, w: complaints.decided(e, w, decision="upheld"),
        prepare=complaints.with_complaint,
    ),
    Command(
        "used_cards_collected", Role.FLOOR_ASSISTANT, "paying", floor_assistants.collect,
        lambda e, w: floor_assistants.collect(e, w, cards=4), prepare=custody_hall.completed,
    ),
    Command(
        "used_cards_destroyed", CHIEF, "paying", custody_hall.destroy_used,
        lambda e, w: custody_hall.destroy_used(e, w, cards=4), prepare=custody_hall.completed,
    ),
    Command(
        "winning_cards_destroyed", MANAGER, "paying", custody_hall.destroy_aside,
        lambda e, w: custody_hall.destroy_aside(e, w, last=5), prepare=custody_hall.set_aside_and_free,
    ),
    Command(
        "case_opened", MANAGER, "paying", custody_hall.open_case,
        lambda e, w: custody_hall.open_case(e, w, reference="13/2026"), prepare=custody_hall.completed,
    ),
    Command(
        "case_closed", MANAGER, "paying", custody_hall.close_case,
        lambda e, w: custody_hall.close_case(e, w, outcome="X"), prepare=custody_hall.with_case,
    ),
    Command(
        "evidence_handed_over", MANAGER, "paying", custody_hall.hand_over,
        lambda e, w: custody_hall.hand_over(e, w, to="Tribunal"), prepare=custody_hall.with_case,
    ),
    Command(
        "acta_rectified", MANAGER, "paying", custody_hall.rectify,
        lambda e, w: custody_hall.rectify(e, w, what="Outra"), prepare=custody_hall.sealed_away,
    ),
    Command("acta_acknowledged", Role.INSPECTOR, "shift", remarks.acknowledge, prepare=remarks.seal),
    Command(
        "acta_remarked", Role.INSPECTOR, "shift", remarks.remark,
        lambda e, w: remarks.remark(e, w, text="Outra"), prepare=remarks.seal,
    ),
    Command(
        "remark_answered", MANAGER, "shift", remarks.answer,
        lambda e, w: remarks.answer(e, w, text="Outra"), prepare=remarks.remarked,
    ),
)  # fmt: skip
