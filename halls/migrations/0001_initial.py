"""The tables of the house with their constraints, in the order in which they refer to one another.

Made by makemigrations, which makes foreign keys and constraints apart; here a table is made whole.
Of a row that breaks several rules PostgreSQL names the index that was made first: those that should
be named before others are added apart, in that order.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

import halls.models.hall


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Hall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.SlugField(unique=True)),
                ("name", models.CharField(max_length=200)),
                ("licence", models.CharField(max_length=100)),
                ("language", models.CharField(max_length=5)),
                ("currency", models.CharField(max_length=3)),
                ("time_zone", models.CharField(max_length=50)),
                ("rulebook", models.CharField(max_length=50)),
                ("jackpot_balance", models.BigIntegerField(default=0)),
                ("level_balances", django.contrib.postgres.fields.ArrayField(base_field=models.PositiveBigIntegerField(), default=list, size=None)),
                ("head_number", models.BigIntegerField(default=0)),
                ("head_digest", models.CharField(default="0000000000000000000000000000000000000000000000000000000000000000", max_length=64)),
                ("head_at", models.DateTimeField(null=True)),
                ("trains", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.hall")),
                ("trained_until", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("head_number__gte", 0)), name="hall_head_not_negative"),
                    models.CheckConstraint(condition=models.Q(("jackpot_balance__gte", 0)), name="hall_jackpot_not_negative"),
                    models.CheckConstraint(condition=models.Q(("trains__isnull", True), models.Q(("trains", models.F("pk")), _negated=True), _connector="OR"), name="hall_trains_another"),
                    models.CheckConstraint(condition=models.Q(("trained_until__isnull", True), ("trains__isnull", False), _connector="OR"), name="hall_only_training_is_left"),
                    models.UniqueConstraint(condition=models.Q(("trained_until__isnull", True)), fields=("trains",), name="hall_has_one_training_hall"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Authorisation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="authorisations", to="halls.hall")),
                ("reference", models.CharField(max_length=100)),
                ("valid_from", models.DateField()),
                ("valid_until", models.DateField(null=True)),
                ("formats", django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), default=halls.models.hall.only_ninety, size=None)),
                ("sizes", models.JSONField(default=dict)),
                ("double_cards", models.BooleanField(default=False)),
                ("faces", django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), size=None)),
                ("line_share", models.PositiveIntegerField()),
                ("bingo_share", models.PositiveIntegerField()),
                ("jackpot_rate", models.PositiveIntegerField(default=0)),
                ("jackpot_limit", models.PositiveIntegerField(default=0)),
                ("jackpot_base", models.PositiveBigIntegerField(default=0)),
                ("tax_rate", models.PositiveIntegerField(default=0)),
                ("tax_threshold", models.PositiveBigIntegerField(default=0)),
                ("player_limit", models.PositiveIntegerField(null=True)),
                ("several_prices", models.BooleanField(default=False)),
                ("languages", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=5), default=list, size=None)),
                ("distributions", models.JSONField(default=list)),
                ("jackpot_terms", models.JSONField(default=dict)),
                ("jackpot_levels", models.JSONField(default=list)),
                ("unclaimed_terms", models.JSONField(default=dict)),
                ("capacity", models.PositiveIntegerField(null=True)),
                ("identity_asked", models.BooleanField(default=False)),
                ("exempt", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("formats__len__gt", 0), ("formats__len__isnull", False)), name="authorisation_names_a_format"),
                    models.CheckConstraint(condition=models.Q(("valid_until__isnull", True), ("valid_until__gte", models.F("valid_from")), _connector="OR"), name="authorisation_ends_after_it_begins"),
                    models.CheckConstraint(
                        condition=models.Q(("line_share__lte", django.db.models.expressions.CombinedExpression(models.Value(10000), "-", models.F("bingo_share")))),
                        name="authorisation_shares_within_sales",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("jackpot_rate", 0), ("jackpot_limit__gt", 0), models.Q(("jackpot_limit", 0), ("jackpot_terms__has_key", "limits")), _connector="OR"),
                        name="authorisation_jackpot_has_limit_r9",
                    ),
                    models.CheckConstraint(condition=models.Q(("player_limit__isnull", True), ("player_limit__gt", 0), _connector="OR"), name="authorisation_player_limit_r35"),
                    models.CheckConstraint(condition=models.Q(("capacity__isnull", True), ("capacity__gt", 0), _connector="OR"), name="authorisation_capacity_positive"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="people", to="halls.hall")),
                ("username", models.CharField(max_length=150, unique=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("cashier", "cashier"),
                                ("seller", "floor seller"),
                                ("floor_assistant", "floor assistant"),
                                ("door", "door"),
                                ("caller", "caller"),
                                ("table_chief", "table chief"),
                                ("hall_manager", "hall manager"),
                                ("inspector", "inspector"),
                            ],
                            max_length=20,
                        ),
                        size=None,
                    ),
                ),
                ("language", models.CharField(max_length=5)),
                ("is_active", models.BooleanField(default=True)),
                ("practises", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="trainees", to=settings.AUTH_USER_MODEL)),
                ("password_given", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("roles__contained_by", ["cashier", "seller", "floor_assistant", "door", "caller", "table_chief", "hall_manager", "inspector"])), name="person_roles_known"
                    ),
                    models.UniqueConstraint(fields=("hall", "practises"), name="person_practises_once_in_a_hall"),
                ]
            },
        ),
        migrations.CreateModel(
            name="JoinedDesk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="halls.hall")),
                ("person", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="desks", to=settings.AUTH_USER_MODEL)),
                ("other", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("proof", models.CharField(max_length=64)),
                ("other_proof", models.CharField(max_length=64)),
                ("joined_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "other"), name="desk_joined_once"),
                    models.CheckConstraint(condition=models.Q(("person", models.F("other")), _negated=True), name="desk_of_another_account"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.hall")),
                ("person", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("at", models.DateTimeField()),
                ("method", models.CharField(max_length=10)),
                ("route", models.CharField(max_length=50)),
                ("path", models.CharField(max_length=1000)),
                ("source", models.CharField(blank=True, max_length=45)),
                ("before", models.CharField(max_length=64)),
            ],
            options={"indexes": [models.Index(fields=["hall", "id"], name="look_of_a_hall"), models.Index(fields=["person", "route", "at"], name="look_of_a_person")]},
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sessions", to="halls.hall")),
                ("number", models.PositiveIntegerField()),
                ("authorisation", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sessions", to="halls.authorisation")),
                ("opened_at", models.DateTimeField()),
                ("opened_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("state", models.JSONField()),
            ],
            options={
                "indexes": [models.Index(fields=["hall", "opened_at"], name="session_of_a_day")],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="session_number_once"),
                    models.UniqueConstraint(condition=models.Q(("closed_at__isnull", True)), fields=("hall",), name="one_open_session_a_hall"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)), models.Q(("closed_at__isnull", False), ("closed_by__isnull", False)), _connector="OR"),
                        name="session_closed_at_with_by",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JournalEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="journal", to="halls.hall")),
                ("number", models.BigIntegerField()),
                ("session", models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="journal", to="halls.session")),
                ("game", models.PositiveIntegerField(null=True)),
                ("kind", models.CharField(max_length=40)),
                ("data", models.JSONField()),
                ("at", models.DateTimeField()),
                ("by", models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("digest", models.CharField(max_length=64)),
                ("key", models.UUIDField(null=True)),
            ],
            options={
                "verbose_name_plural": "journal entries",
                "ordering": ["hall", "number"],
                "indexes": [
                    models.Index(fields=["session", "number"], name="journal_of_a_session"),
                    models.Index(fields=["hall", "kind", "number"], name="journal_of_a_kind"),
                    models.Index(fields=["by", "number"], name="journal_of_a_person"),
                    models.Index(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "note_recorded",
                                    "command_refused",
                                    "clock_anomaly",
                                    "game_suspended",
                                    "game_voided",
                                    "ball_recalled",
                                    "breakdown_opened",
                                    "camera_fault",
                                    "cards_written_off",
                                    "equipment_waived",
                                    "duty_left_out",
                                    "acta_acknowledged",
                                    "acta_remarked",
                                    "remark_answered",
                                ],
                            )
                        ),
                        fields=["session", "number"],
                        name="journal_told_of_a_session",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="journal_number_once"),
                    models.UniqueConstraint(fields=("hall", "key"), name="journal_key_once"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="journal_number_from_one"),
                    models.CheckConstraint(condition=models.Q(("game__isnull", True), ("session__isnull", False), _connector="OR"), name="journal_game_in_a_session"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="checkpoints", to="halls.hall")),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="checkpoint", to="halls.journalentry")),
                ("number", models.BigIntegerField()),
                ("note", models.TextField()),
            ],
            options={"ordering": ["hall", "number"], "constraints": [models.UniqueConstraint(fields=("hall", "number"), name="checkpoint_once_an_entry")]},
        ),
        migrations.CreateModel(
            name="CheckpointPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="checkpoint_places", to="halls.hall")),
                ("place", models.CharField(max_length=400)),
                ("number", models.BigIntegerField(default=0)),
                ("fault", models.CharField(blank=True, max_length=40)),
                ("cause", models.CharField(blank=True, max_length=200)),
                ("since", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "place"), name="checkpoint_place_once"),
                    models.CheckConstraint(condition=models.Q(("fault", ""), ("since__isnull", False), _connector="OR"), name="checkpoint_fault_since"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Admission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="admissions", to="halls.hall")),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("inside", models.PositiveIntegerField()),
                ("capacity", models.PositiveIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="admission_number_once"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="admission_number_positive"),
                    models.CheckConstraint(condition=models.Q(("kind__in", ("person_admitted", "person_left", "admission_refused", "inside_counted"))), name="admission_kind_known"),
                    models.CheckConstraint(condition=models.Q(("capacity__isnull", True), ("inside__lte", models.F("capacity")), _connector="OR"), name="admission_within_capacity"),
                    models.CheckConstraint(condition=models.Q(("capacity__isnull", True), ("kind", "person_admitted"), _connector="OR"), name="admission_capacity_of_who_came_in"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("kind", "admission_refused"), _negated=True), ("reason__in", ("full", "minor", "excluded", "no_document", "conduct", "other")), _connector="OR"),
                        name="admission_refused_for_a_reason",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="visits", to="halls.hall")),
                ("admission", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.admission")),
                ("number", models.PositiveIntegerField()),
                ("document", models.CharField(max_length=64)),
                ("key", models.PositiveSmallIntegerField()),
                ("salt", models.CharField(max_length=32)),
                ("at", models.DateTimeField()),
                ("kept_until", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["hall", "document"], name="visit_of_a_document")],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="visit_number_once"),
                    models.CheckConstraint(condition=models.Q(("document__regex", "^[0-9a-f]{64}$")), name="visit_document_hashed"),
                    models.CheckConstraint(condition=models.Q(("salt__regex", "^[0-9a-f]{32}$")), name="visit_salted"),
                    models.CheckConstraint(condition=models.Q(("key__gt", 0)), name="visit_key_positive"),
                    models.CheckConstraint(condition=models.Q(("kept_until__gt", models.F("at"))), name="visit_kept_a_while"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="exclusions", to="halls.hall")),
                ("number", models.PositiveIntegerField()),
                ("document", models.CharField(max_length=64)),
                ("key", models.PositiveSmallIntegerField()),
                ("reason", models.CharField(max_length=20)),
                ("begins", models.DateField()),
                ("ends", models.DateField(null=True)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "indexes": [models.Index(fields=["hall", "document"], name="exclusion_of_a_document")],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="exclusion_number_once"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="exclusion_number_positive"),
                    models.CheckConstraint(condition=models.Q(("document__regex", "^[0-9a-f]{64}$")), name="exclusion_document_hashed"),
                    models.CheckConstraint(condition=models.Q(("key__gt", 0)), name="exclusion_key_positive"),
                    models.CheckConstraint(condition=models.Q(("reason__in", ("own_request", "authority", "hall"))), name="exclusion_for_a_reason"),
                    models.CheckConstraint(condition=models.Q(("ends__isnull", True), ("ends__gte", models.F("begins")), _connector="OR"), name="exclusion_ends_after_it_begins"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LiftedExclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("exclusion", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="lifted", to="halls.exclusion")),
                ("reason", models.CharField(max_length=500)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={"constraints": [models.CheckConstraint(condition=models.Q(("reason", ""), _negated=True), name="exclusion_lifted_for_a_reason")]},
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="devices", to="halls.hall")),
                ("name", models.CharField(max_length=60)),
                ("kind", models.CharField(max_length=20)),
                ("maker", models.CharField(blank=True, max_length=60)),
                ("approval", models.CharField(blank=True, max_length=60)),
                ("authority", models.CharField(blank=True, max_length=60)),
                ("approved_on", models.DateField(null=True)),
                ("approved_until", models.DateField(null=True)),
                ("registered_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_on__isnull", True), ("approved_until__isnull", True), ("authority", "")),
                            models.Q(
                                models.Q(("authority", ""), _negated=True),
                                models.Q(("approval", ""), _negated=True),
                                ("approved_on__isnull", False),
                                models.Q(("approved_until__isnull", True), ("approved_until__gte", models.F("approved_on")), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="device_approval_whole_r4",
                    ),
                    models.UniqueConstraint(fields=("hall", "name"), name="device_name_once_a_hall"),
                    models.CheckConstraint(condition=models.Q(("kind__in", ["pneumatic", "manual", "rng", "camera", "screen", "board", "sound", "printer", "other"])), name="device_kind_known"),
                ]
            },
        ),
        migrations.CreateModel(
            name="BallSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="ball_sets", to="halls.hall")),
                ("serial", models.CharField(max_length=40)),
                ("format", models.PositiveSmallIntegerField()),
                ("maker", models.CharField(blank=True, max_length=60)),
                ("model", models.CharField(blank=True, max_length=60)),
                ("approval", models.CharField(blank=True, max_length=60)),
                ("authority", models.CharField(blank=True, max_length=60)),
                ("approved_on", models.DateField(null=True)),
                ("approved_until", models.DateField(null=True)),
                ("marks", django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), default=list, size=None)),
                ("zeros", models.BooleanField(default=False)),
                ("standing", models.CharField(default="kept", max_length=10)),
                ("fit", models.BooleanField(default=True)),
                ("games", models.PositiveIntegerField(default=0)),
                ("extractor", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="ball_sets", to="halls.device")),
                ("registered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "serial"), name="ball_set_serial_once_a_hall_r22"),
                    models.UniqueConstraint(condition=models.Q(("standing", "in_use")), fields=("hall", "format"), name="one_ball_set_in_use_a_format"),
                    models.CheckConstraint(condition=models.Q(("standing__in", ["kept", "in_use", "retired"])), name="ball_set_standing_known"),
                    models.CheckConstraint(condition=models.Q(("format__in", [90, 80, 75, 30])), name="ball_set_format_known"),
                    models.CheckConstraint(condition=models.Q(("extractor__isnull", True), ("standing", "in_use"), _connector="OR"), name="ball_set_in_an_extractor_is_in_use"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_on__isnull", True), ("approved_until__isnull", True), ("authority", "")),
                            models.Q(
                                models.Q(("authority", ""), _negated=True),
                                models.Q(("approval", ""), _negated=True),
                                ("approved_on__isnull", False),
                                models.Q(("approved_until__isnull", True), ("approved_until__gte", models.F("approved_on")), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="ball_set_approval_whole_r20",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="EquipmentCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="equipment_checks", to="halls.hall")),
                ("items", models.JSONField()),
                ("passed", models.BooleanField()),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
        ),
        migrations.CreateModel(
            name="CheckTick",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="check_ticks", to="halls.hall")),
                ("kind", models.CharField(max_length=20)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("ok", models.BooleanField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("hall", "kind", "name"), name="check_item_ticked_once")]},
        ),
        migrations.CreateModel(
            name="Breakdown",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("device", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="breakdowns", to="halls.device")),
                ("reason", models.CharField(max_length=500)),
                ("opened_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("remedy", models.CharField(blank=True, max_length=500)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("ended_at__isnull", True)), fields=("device",), name="one_open_breakdown_a_device"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("ended_at__isnull", True), ("remedy", "")), models.Q(("ended_at__isnull", False), models.Q(("remedy", ""), _negated=True)), _connector="OR"),
                        name="breakdown_ended_with_remedy",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.SlugField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("currency", models.CharField(max_length=3)),
                ("rulebook", models.CharField(max_length=50)),
                ("limit", models.PositiveSmallIntegerField(null=True)),
                ("limits", models.JSONField(default=list)),
                ("base", models.BigIntegerField()),
                ("balance", models.BigIntegerField(default=0)),
                ("head_number", models.BigIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("balance__gte", 0)), name="link_balance_not_negative"),
                    models.CheckConstraint(condition=models.Q(("base__gte", 0)), name="link_base_not_negative"),
                    models.CheckConstraint(condition=models.Q(("head_number__gte", 0)), name="link_head_not_negative"),
                    models.CheckConstraint(condition=models.Q(("ended_at__isnull", True), ("balance", 0), _connector="OR"), name="link_ended_holds_nothing"),
                    models.CheckConstraint(condition=models.Q(("limit__isnull", False), models.Q(("limits", []), _negated=True), _connector="XOR"), name="link_has_limits_r9"),
                ]
            },
        ),
        migrations.CreateModel(
            name="LinkMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="members", to="halls.link")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="links", to="halls.hall")),
                ("waiting", models.BigIntegerField(default=0)),
                ("reference", models.CharField(max_length=200)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("link", "hall"), name="hall_once_in_a_link"),
                    models.CheckConstraint(condition=models.Q(("waiting__gte", 0)), name="link_waiting_not_negative"),
                ]
            },
        ),
        migrations.CreateModel(
            name="LinkMovement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="movements", to="halls.link")),
                ("number", models.BigIntegerField()),
                ("previous", models.BigIntegerField(null=True)),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="link_movements", to="halls.hall")),
                ("entry", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="link_movements", to="halls.journalentry")),
                ("kind", models.CharField(max_length=12)),
                ("amount", models.BigIntegerField()),
                ("before", models.BigIntegerField()),
                ("balance", models.BigIntegerField()),
            ],
            options={
                "ordering": ["link", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("link", "number"), name="link_movement_number_once"),
                    models.UniqueConstraint(fields=("entry", "kind"), name="link_movement_once_an_entry"),
                    models.UniqueConstraint(fields=("link", "number", "balance"), name="link_movement_follows_on"),
                    models.CheckConstraint(
                        condition=models.Q(("number", django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Coalesce(models.F("previous"), 0), "+", models.Value(1)))),
                        name="link_movement_without_gap",
                    ),
                    models.CheckConstraint(condition=models.Q(("balance", django.db.models.expressions.CombinedExpression(models.F("before"), "+", models.F("amount")))), name="link_movement_adds_up"),
                    models.CheckConstraint(condition=models.Q(("previous__isnull", False), ("before", 0), _connector="OR"), name="link_begins_with_nothing"),
                    models.CheckConstraint(condition=models.Q(("balance__gte", 0)), name="link_movement_leaves_no_debt"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ("accrued", "reversed", "awarded", "left_over", "restored", "settled", "link_funded", "link_ended", "link_moved"))),
                        name="link_movement_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Policy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="policies", to="halls.hall")),
                ("difference_limit", models.PositiveIntegerField()),
                ("blind_count", models.BooleanField()),
                ("four_eyes", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ("receipts", models.CharField(max_length=10)),
                ("low_stock", models.PositiveIntegerField()),
                ("printers", models.JSONField()),
                ("source", models.CharField(blank=True, max_length=10)),
                ("automatic", models.PositiveSmallIntegerField(default=0)),
                ("interval", models.PositiveSmallIntegerField(default=0)),
                ("patience", models.PositiveSmallIntegerField(default=20)),
                ("picture_days", models.PositiveSmallIntegerField(default=90)),
                ("payment_limit", models.PositiveIntegerField(default=0)),
                ("cash_step", models.PositiveIntegerField(default=1)),
                ("checkpoint_till", models.CharField(blank=True, default="", max_length=50)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "verbose_name_plural": "policies",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("difference_limit__gte", 0), ("difference_limit__lte", 100000000)), name="policy_difference_limit_within_bounds"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "four_eyes__contained_by",
                                [
                                    "cash_moved",
                                    "shift_closed",
                                    "cards_refunded",
                                    "game_voided",
                                    "cards_written_off",
                                    "second_issue_opened",
                                    "prize_paid",
                                    "equipment_waived",
                                    "complaint_decided",
                                    "jackpot_funded",
                                    "jackpot_moved",
                                    "jackpot_ended",
                                    "link_funded",
                                    "link_moved",
                                    "link_ended",
                                    "retention_set",
                                    "staff_changed",
                                ],
                            )
                        ),
                        name="policy_four_eyes_known",
                    ),
                    models.CheckConstraint(condition=models.Q(("receipts__in", ["none", "shown", "printed"])), name="policy_receipts_known"),
                    models.CheckConstraint(condition=models.Q(("low_stock__gte", 0), ("low_stock__lte", 100000)), name="policy_low_stock_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("source__in", ["", "rng", "camera", "by_hand"])), name="policy_source_known"),
                    models.CheckConstraint(condition=models.Q(("automatic__gte", 0), ("automatic__lte", 1000)), name="policy_automatic_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("interval__gte", 0), ("interval__lte", 60)), name="policy_interval_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("patience", 0), models.Q(("patience__gte", 5), ("patience__lte", 300)), _connector="OR"), name="policy_patience_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("picture_days__gte", 8), ("picture_days__lte", 3650)), name="policy_picture_days_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("payment_limit__gte", 0), ("payment_limit__lte", 1000000000)), name="policy_payment_limit_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("cash_step__gte", 1), ("cash_step__lte", 1000000)), name="policy_cash_step_within_bounds"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Retention",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="retentions", to="halls.hall")),
                ("valid_from", models.DateField()),
                ("pictures", models.PositiveSmallIntegerField()),
                ("looks", models.PositiveSmallIntegerField()),
                ("prints", models.PositiveSmallIntegerField()),
                ("stills", models.PositiveSmallIntegerField()),
                ("admissions", models.PositiveSmallIntegerField(default=0)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("pictures", 0), models.Q(("pictures__gte", 8), ("pictures__lte", 3650)), _connector="OR"), name="retention_pictures_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("looks", 0), models.Q(("looks__gte", 90), ("looks__lte", 3650)), _connector="OR"), name="retention_looks_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("prints", 0), models.Q(("prints__gte", 1), ("prints__lte", 3650)), _connector="OR"), name="retention_prints_within_bounds"),
                    models.CheckConstraint(condition=models.Q(("stills", 0), models.Q(("stills__gte", 1), ("stills__lte", 3650)), _connector="OR"), name="retention_stills_within_bounds"),
                    models.CheckConstraint(
                        condition=models.Q(("admissions", 0), models.Q(("admissions__gte", 1), ("admissions__lte", 3650)), _connector="OR"), name="retention_admissions_within_bounds"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="removals", to="halls.hall")),
                ("number", models.PositiveIntegerField()),
                ("listed", models.TextField()),
                ("looks_upto", models.BigIntegerField(null=True)),
                ("visits_upto", models.PositiveIntegerField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("finished_at__isnull", True)), fields=["hall"], name="removal_unfinished")],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="removal_number_once"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="removal_number_positive"),
                    models.CheckConstraint(condition=models.Q(("listed", ""), _negated=True), name="removal_lists_something"),
                ],
            },
        ),
        migrations.CreateModel(
            name="WallScreen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="wall_screens", to="halls.hall")),
                ("token", models.CharField(max_length=64, unique=True)),
                ("code", models.CharField(max_length=4)),
                ("name", models.CharField(blank=True, max_length=40)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("everything", "Everything"),
                            ("numbers", "Numbers called"),
                            ("last", "Last ball"),
                            ("prizes", "Price, cards and prizes"),
                            ("check", "Card being checked"),
                            ("camera", "The extractor, live"),
                        ],
                        default="everything",
                        max_length=10,
                    ),
                ),
                ("connected_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("pointed_until", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "code"), name="wall_screen_code_once"),
                    models.CheckConstraint(condition=models.Q(("role__in", ["everything", "numbers", "last", "prizes", "check", "camera"])), name="wall_screen_role_known"),
                    models.CheckConstraint(condition=models.Q(("seen_at__gte", models.F("connected_at"))), name="wall_screen_seen_since_connected"),
                ]
            },
        ),
        migrations.CreateModel(
            name="WallPicture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="wall_pictures", to="halls.hall")),
                ("name", models.CharField(max_length=80)),
                ("digest", models.CharField(max_length=64)),
                ("jpeg", models.BinaryField()),
                ("added_at", models.DateTimeField()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("hall", "digest"), name="wall_picture_once")]},
        ),
        migrations.CreateModel(
            name="Till",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="tills", to="halls.hall")),
                ("name", models.CharField(max_length=50)),
                ("in_use", models.BooleanField(default=True)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("hall", "name"), name="till_name_once_a_hall")]},
        ),
        migrations.CreateModel(
            name="Shift",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("till", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="shifts", to="halls.till")),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="shifts", to="halls.session")),
                ("number", models.PositiveIntegerField()),
                ("cashier", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="shifts", to=settings.AUTH_USER_MODEL)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("counted", models.BigIntegerField(null=True)),
                ("comment", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("session", "number"), name="shift_number_once"),
                    models.UniqueConstraint(condition=models.Q(("closed_at__isnull", True)), fields=("till",), name="one_open_shift_a_till"),
                    models.UniqueConstraint(condition=models.Q(("closed_at__isnull", True)), fields=("cashier",), name="one_open_shift_a_cashier"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("counted__isnull", True)), models.Q(("closed_at__isnull", False), ("counted__gte", 0), ("counted__isnull", False)), _connector="OR"
                        ),
                        name="shift_closed_at_with_count",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="CashMovement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("shift", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="movements", to="halls.shift")),
                ("kind", models.CharField(choices=[("float", "Float"), ("sale", "Sale"), ("prize", "Prize"), ("refund", "Refund"), ("unclaimed", "Unclaimed"), ("moved", "Moved")], max_length=10)),
                ("amount", models.BigIntegerField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="cash", to="halls.journalentry")),
            ],
            options={
                "indexes": [models.Index(fields=["amount", "id"], name="cash_of_an_amount")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("amount__gte", 0), ("kind__in", ["float", "sale"])),
                            models.Q(("amount__lte", 0), ("kind__in", ["prize", "refund"])),
                            models.Q(("amount__lt", 0), ("kind", "unclaimed")),
                            ("kind", "moved"),
                            _connector="OR",
                        ),
                        name="cash_sign_follows_kind",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Slip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="slip", to="halls.journalentry")),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(model_name="authorisation", name="entry", field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
        migrations.AddConstraint(model_name="authorisation", constraint=models.CheckConstraint(condition=models.Q(("entry__isnull", False)), name="authorisation_has_an_entry")),
        migrations.AddConstraint(model_name="authorisation", constraint=models.UniqueConstraint(fields=("hall", "reference", "valid_from"), name="authorisation_once_a_day")),
    ]
