"""Who sees the cameras and who may let balls be shown to them."""

from halls.models import Role

READERS = (Role.HALL_MANAGER, Role.INSPECTOR, Role.TABLE_CHIEF, Role.CALLER)
SHOWERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER)
