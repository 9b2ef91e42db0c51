"""Who looks after balls and equipment, and who reads of it."""

from halls.models import Role

READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
