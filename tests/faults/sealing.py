"""Seals a session's acta by the worker's own task; killed by its test."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from django.conf import settings  # noqa: E402  Django must be set up first

from draws import tasks  # noqa: E402

settings.KEYS_DIR = sys.argv[2]
tasks.seal_acta(session_id=int(sys.argv[1]))
