"""The tables of the game with their constraints, in the order in which they refer to one another.

Made by makemigrations, which makes foreign keys and constraints apart; here a table is made whole.
Of a row that breaks several rules PostgreSQL names the index that was made first: those that should
be named before others are added apart, in that order.
"""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

import bingo.rules.stock
import draws.models.cameras
import draws.models.cards


class Migration(migrations.Migration):
    initial = True

    dependencies = [("halls", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Series",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="series", to="halls.hall")),
                ("format", models.PositiveSmallIntegerField()),
                ("rulebook", models.CharField(max_length=50)),
                ("letter", models.CharField(max_length=5)),
                ("version", models.PositiveIntegerField(default=1)),
                ("size", models.PositiveIntegerField()),
                ("columns", models.BooleanField(default=False)),
                ("digest", models.CharField(max_length=64)),
                ("source", models.CharField(choices=[("emitted", "Emitted"), ("imported", "Imported"), ("transferred", "Transferred")], default="emitted", max_length=11)),
                ("seed", models.CharField(blank=True, max_length=100)),
                ("published_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "series",
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "digest"), name="matrix_once_a_hall"),
                    models.UniqueConstraint(fields=("hall", "format", "letter", "version"), name="series_version_once"),
                    models.CheckConstraint(condition=models.Q(("source__in", ["emitted", "imported", "transferred"])), name="series_source_known"),
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="series_size_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Card",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("series", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="cards", to="draws.series")),
                ("number", models.PositiveIntegerField()),
                ("rows", django.contrib.postgres.fields.ArrayField(base_field=django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(null=True), size=None), size=None)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("series", "number"), name="card_number_once_a_series"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="card_number_from_one"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Pattern",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="patterns", to="halls.hall")),
                ("name", models.CharField(max_length=40)),
                ("drawing", models.CharField(max_length=29)),
                ("saved_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "name"), name="pattern_name_once_a_hall"),
                    models.UniqueConstraint(fields=("hall", "drawing"), name="pattern_drawing_once_a_hall"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Issue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="issues", to="halls.hall")),
                ("series", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="issues", to="draws.series")),
                ("authorisation", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.authorisation")),
                ("identification", models.CharField(max_length=20)),
                ("face", models.PositiveIntegerField()),
                ("face_colour", models.CharField(default="white", max_length=20)),
                ("back_colour", models.CharField(default="grey", max_length=20)),
                ("double", models.BooleanField(default=False)),
                ("symbols", models.BooleanField(default=False)),
                ("figure", models.CharField(blank=True, max_length=29)),
                (
                    "place",
                    models.CharField(choices=[("received", "received"), ("shelf", "shelf"), ("withdrawn", "withdrawn"), ("sent", "sent")], default=bingo.rules.stock.BoxPlace["SHELF"], max_length=9),
                ),
                ("received_at", models.DateTimeField()),
                ("last_sold", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "identification"), name="issue_identification_once_a_hall"),
                    models.CheckConstraint(condition=models.Q(("face__gt", 0)), name="issue_face_positive"),
                    models.CheckConstraint(condition=models.Q(("place__in", ["received", "shelf", "withdrawn", "sent"])), name="issue_place_known"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Retirement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="retirements", to="draws.issue")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("first__gt", 0), ("last__gte", models.F("first"))), name="retirement_not_empty"),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[("issue", "="), (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&")],
                        name="card_retired_once",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Recount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="recounts", to="draws.issue")),
                ("expected", models.PositiveIntegerField()),
                ("counted", models.PositiveIntegerField()),
                ("comment", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("counted", models.F("expected")), models.Q(("comment", ""), _negated=True), _connector="OR"), name="recount_difference_has_comment")
                ]
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="transfers", to="draws.issue")),
                ("to", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="arrivals", to="halls.hall")),
                ("sent_at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
                ("arrived", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="arrival", to="draws.issue")),
                ("recalled_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("arrived__isnull", True), ("recalled_at__isnull", True)), fields=("issue",), name="one_open_transfer_an_issue"),
                    models.CheckConstraint(condition=models.Q(("arrived__isnull", True), ("recalled_at__isnull", True), _connector="OR"), name="transfer_arrives_or_is_recalled"),
                ]
            },
        ),
        migrations.CreateModel(
            name="PrintJob",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="prints", to="draws.issue")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("paper", models.CharField(max_length=10)),
                ("code", models.CharField(max_length=10)),
                ("back", models.BooleanField(default=False)),
                ("crop", models.BooleanField(default=False)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("copies", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("cancelled", "Cancelled"), ("failed", "Failed")], db_index=True, default="queued", max_length=10
                    ),
                ),
                ("drawn", models.PositiveIntegerField(default=0)),
                ("pages", models.PositiveIntegerField(null=True)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("fault", models.CharField(blank=True, max_length=200)),
                ("losses", models.PositiveSmallIntegerField(default=0)),
                ("ordered_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("first__gt", 0), ("last__gte", models.F("first"))), name="print_not_empty"),
                    models.CheckConstraint(condition=models.Q(("state__in", ["queued", "running", "done", "cancelled", "failed"])), name="print_state_known"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True), models.Q(("ended_at__isnull", False), ("pages__isnull", False), models.Q(("digest", ""), _negated=True)), _connector="OR"
                        ),
                        name="print_done_has_file",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "drawn__lte",
                                django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F("last"), "-", models.F("first")), "+", models.Value(1)),
                            )
                        ),
                        name="print_drawn_within_range",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="games", to="halls.session")),
                ("number", models.PositiveIntegerField()),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="games", to="draws.issue")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("prepared", "prepared"),
                            ("selling", "selling"),
                            ("closed", "closed"),
                            ("drawing", "drawing"),
                            ("stopped", "stopped"),
                            ("window", "window"),
                            ("paying", "paying"),
                            ("voided", "voided"),
                            ("complete", "complete"),
                        ],
                        max_length=10,
                    ),
                ),
                ("opened_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("face", models.PositiveIntegerField()),
                ("cards", models.PositiveIntegerField(default=0)),
                ("gross", models.PositiveBigIntegerField(default=0)),
                ("line", models.PositiveBigIntegerField(default=0)),
                ("bingo", models.PositiveBigIntegerField(default=0)),
                ("accrual", models.PositiveBigIntegerField(default=0)),
                ("void", models.CharField(blank=True, max_length=500)),
                ("ball_set", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="drawn", to="halls.ballset")),
                ("extractor", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="drawn", to="halls.device")),
                ("further", models.ManyToManyField(related_name="+", to="draws.issue")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("phase__in", ["prepared", "selling", "closed", "drawing", "stopped", "window", "paying", "voided", "complete"])), name="game_phase_known"
                    ),
                    models.CheckConstraint(condition=models.Q(models.Q(("phase", "complete"), _negated=True), ("ended_at__isnull", False), _connector="OR"), name="game_complete_has_ended"),
                ]
            },
        ),
        migrations.AddConstraint(model_name="game", constraint=models.UniqueConstraint(fields=("session", "number"), name="game_number_once")),
        migrations.AddConstraint(model_name="game", constraint=models.UniqueConstraint(condition=models.Q(("phase", "complete"), _negated=True), fields=("session",), name="one_open_game_a_session")),
        migrations.AddField(model_name="game", name="first_half", field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="second_half", to="draws.game")),
        migrations.AddField(model_name="game", name="commitment", field=models.CharField(max_length=64, null=True, unique=True)),
        migrations.CreateModel(
            name="Ball",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="balls", to="draws.game")),
                ("order", models.PositiveSmallIntegerField()),
                ("previous", models.PositiveSmallIntegerField(null=True)),
                ("number", models.PositiveSmallIntegerField()),
                ("source", models.CharField(max_length=10)),
                ("picture", models.CharField(blank=True, max_length=64)),
                ("confidence", models.PositiveSmallIntegerField(null=True)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["game", "order"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="ball_once_a_game"),
                    models.UniqueConstraint(fields=("game", "order"), name="ball_order_once"),
                    models.CheckConstraint(
                        condition=models.Q(("order", django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Coalesce(models.F("previous"), 0), "+", models.Value(1)))),
                        name="ball_order_without_gap",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="ball_number_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClaimCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="checks", to="draws.game")),
                ("combination", models.CharField(max_length=10)),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
                ("valid", models.BooleanField()),
                ("reason", models.CharField(blank=True, max_length=20)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("valid", True)), fields=("game", "combination", "issue", "card"), name="claim_right_once"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("reason", ""), ("valid", True)), models.Q(("valid", False), models.Q(("reason", ""), _negated=True)), _connector="OR"),
                        name="claim_wrong_has_reason",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Prize",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="prizes", to="draws.game")),
                ("combination", models.CharField(max_length=10)),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("tax", models.PositiveBigIntegerField()),
                ("left_over", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "ordering": ["game", "combination", "issue", "card"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "combination", "issue", "card"), name="prize_once_a_card"),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", django.db.models.expressions.CombinedExpression(models.F("tax"), "+", models.F("left_over")))), name="prize_handed_over_within"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="draws.game")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("shift", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="halls.shift")),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("game", "issue", "card"), name="card_paid_once_r50")]},
        ),
        migrations.CreateModel(
            name="ShownCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("claim", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="shown", to="draws.claimcheck")),
                ("picture", models.CharField(max_length=64)),
                ("seen_at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={"constraints": [models.CheckConstraint(condition=models.Q(("picture__regex", "^[0-9a-f]{64}$")), name="shown_card_has_picture")]},
        ),
        migrations.CreateModel(
            name="Camera",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="cameras", to="halls.hall")),
                ("name", models.CharField(max_length=60)),
                ("url", models.CharField(max_length=500)),
                ("salt", models.CharField(default=draws.models.cameras.new_salt, max_length=64)),
                ("format", models.PositiveSmallIntegerField(null=True)),
                ("settings", models.JSONField(default=dict)),
                ("active", models.BooleanField(default=True)),
                ("calibrated_at", models.DateTimeField(null=True)),
                ("calibrated_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("health", models.CharField(blank=True, max_length=20)),
                ("health_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "name"), name="camera_name_once"),
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="camera_has_name"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("calibrated_at__isnull", True), ("calibrated_by__isnull", True)), models.Q(("calibrated_at__isnull", False), ("calibrated_by__isnull", False)), _connector="OR"
                        ),
                        name="camera_calibrated_by_somebody",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Enrolment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("camera", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="enrolments", to="draws.camera")),
                ("ball_set", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="enrolments", to="halls.ballset")),
                ("purpose", models.CharField(choices=[("enrol", "Enrol"), ("opening", "Opening"), ("closing", "Closing")], max_length=10)),
                ("begun_at", models.DateTimeField()),
                ("begun_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("minded_at", models.DateTimeField(null=True)),
                ("troubled", models.CharField(blank=True, max_length=30)),
                ("ended_at", models.DateTimeField(null=True)),
                ("given_up", models.BooleanField(default=False)),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("ended_at__isnull", True)), fields=("camera",), name="one_open_enrolment_a_camera"),
                    models.CheckConstraint(condition=models.Q(("purpose__in", ["enrol", "opening", "closing"])), name="enrolment_purpose_known"),
                    models.CheckConstraint(condition=models.Q(("given_up", False), ("ended_at__isnull", False), _connector="OR"), name="enrolment_given_up_has_ended"),
                ]
            },
        ),
        migrations.CreateModel(
            name="ShownBall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("enrolment", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="shown", to="draws.enrolment")),
                ("stay", models.PositiveIntegerField()),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("dismissed", models.BooleanField(default=False)),
                ("plain", models.JSONField()),
                ("padded", models.JSONField()),
                ("marked", models.PositiveSmallIntegerField(default=0)),
                ("angle", models.PositiveSmallIntegerField(default=0)),
                ("middle_x", models.PositiveIntegerField()),
                ("middle_y", models.PositiveIntegerField()),
                ("radius", models.PositiveIntegerField()),
                ("picture", models.CharField(max_length=64)),
                ("seen_at", models.DateTimeField()),
                ("key", models.UUIDField(unique=True)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["enrolment", "stay"], name="shown_ball_by_stay")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("dismissed", False), ("number__isnull", True), _connector="OR"), name="dismissed_ball_has_no_number"),
                    models.CheckConstraint(condition=models.Q(("marked__lte", 1000)), name="shown_ball_mark_per_mille"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Certificate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="camera_certificates", to="halls.hall")),
                ("camera", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="certificates", to="draws.camera")),
                ("ball_set", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="certificates", to="halls.ballset")),
                ("enrolment", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="certificate", to="draws.enrolment")),
                ("threshold", models.PositiveSmallIntegerField()),
                ("model", models.CharField(max_length=64)),
                ("paper", models.CharField(max_length=64)),
                ("found", models.JSONField()),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={"constraints": [models.CheckConstraint(condition=models.Q(("threshold__lte", 1000)), name="certificate_threshold_per_mille")]},
        ),
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="readings", to="draws.game")),
                ("order", models.PositiveSmallIntegerField()),
                ("source", models.CharField(max_length=10)),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("runner_up", models.PositiveSmallIntegerField(null=True)),
                ("candidates", models.JSONField(default=list)),
                ("confidence", models.PositiveSmallIntegerField(default=0)),
                ("reason", models.CharField(blank=True, max_length=20)),
                ("picture", models.CharField(blank=True, max_length=64)),
                ("camera", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="readings", to="draws.camera")),
                ("keyed_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("seen_at", models.DateTimeField()),
                ("stream_at", models.PositiveBigIntegerField(default=0)),
                ("frame", models.PositiveBigIntegerField(default=0)),
                ("key", models.UUIDField(unique=True)),
                ("standing", models.CharField(choices=[("pending", "Pending"), ("announced", "Announced"), ("dismissed", "Dismissed")], default="pending", max_length=10)),
                ("entry", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(condition=models.Q(("standing", "pending")), fields=["game"], name="reading_pending")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("standing__in", ["pending", "announced", "dismissed"])), name="reading_standing_known"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entry__isnull", True), ("standing", "pending")), models.Q(models.Q(("standing", "pending"), _negated=True), ("entry__isnull", False)), _connector="OR"
                        ),
                        name="reading_ended_has_entry",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("camera__isnull", False), ("keyed_by__isnull", True), ("source", "camera"), models.Q(("picture", ""), _negated=True)),
                            models.Q(("camera__isnull", True), ("keyed_by__isnull", False), ("source", "by_hand"), ("number__isnull", False)),
                            _connector="OR",
                        ),
                        name="reading_seen_or_keyed",
                    ),
                    models.CheckConstraint(condition=models.Q(("confidence__lte", 1000)), name="reading_confidence_per_mille"),
                ],
            },
        ),
        migrations.CreateModel(
            name="UsedDestruction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="used_destruction", to="draws.game")),
                ("cards", models.PositiveIntegerField()),
                ("missing", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
        ),
        migrations.CreateModel(
            name="CarriedCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="carried_cards", to="draws.game")),
                ("call", models.PositiveIntegerField()),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
                ("place", models.CharField(blank=True, max_length=40)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "call", "issue", "card"), name="card_carried_once_a_call"),
                    models.CheckConstraint(condition=models.Q(("card__gt", 0)), name="carried_card_positive"),
                ]
            },
        ),
        migrations.CreateModel(
            name="CardCollection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="collections", to="draws.game")),
                ("cards", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
        ),
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="cases", to="halls.hall")),
                ("number", models.PositiveIntegerField()),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="cases", to="draws.game")),
                ("reference", models.CharField(max_length=120)),
                ("reason", models.CharField(max_length=500)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, max_length=500)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="case_number_once_a_hall"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="case_number_positive"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("closed_at__isnull", True), ("outcome", "")), models.Q(("closed_at__isnull", False), models.Q(("outcome", ""), _negated=True)), _connector="OR"),
                        name="case_closed_with_outcome",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="SetAside",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("case", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="set_aside", to="draws.case")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="set_aside", to="draws.game")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("issue", "card"), name="card_set_aside_once_r51")]},
        ),
        migrations.CreateModel(
            name="Departure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField()),
                ("how", models.CharField(max_length=12)),
                ("at", models.DateTimeField()),
                ("entry", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="departures", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("issue", "card"), name="card_leaves_shelf_once_r52"),
                    models.CheckConstraint(condition=models.Q(("how__in", ["destroyed", "handed_over", "lost"])), name="departure_known"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Complaint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="complaints", to="halls.session")),
                ("number", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=500)),
                ("game", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="complaints", to="draws.game")),
                ("ball", models.PositiveSmallIntegerField(null=True)),
                ("issue", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("card", models.PositiveIntegerField(null=True)),
                ("picture", models.CharField(blank=True, max_length=64)),
                ("opened_at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
                ("decision", models.CharField(blank=True, max_length=10)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("decided_at", models.DateTimeField(null=True)),
                ("decided_by", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("session", "number"), name="complaint_number_once_a_session"),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="complaint_number_positive"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("card__isnull", True), ("issue__isnull", True)), models.Q(("card__isnull", False), ("game__isnull", False), ("issue__isnull", False)), _connector="OR"
                        ),
                        name="complaint_card_of_an_issue",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("ball__isnull", True), ("picture", "")), models.Q(("ball__gt", 0), ("game__isnull", False)), _connector="OR"), name="complaint_ball_of_a_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("decided_by__isnull", True), ("decision", ""), ("reason", "")),
                            models.Q(("decided_at__isnull", False), ("decided_by__isnull", False), ("decision__in", ("upheld", "rejected", "withdrawn")), models.Q(("reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="complaint_decided_with_reason",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="UnclaimedItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="unclaimed", to="draws.game")),
                ("owed", models.CharField(max_length=6)),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="unclaimed", to="draws.issue")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("price", models.PositiveBigIntegerField()),
                ("reason", models.CharField(max_length=10)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("until", models.DateField(null=True)),
                ("to", models.CharField(blank=True, max_length=10)),
                ("at", models.DateTimeField()),
                ("entry", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="unclaimed", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("owed__in", ["prize", "refund"])), name="unclaimed_known"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("last__gte", models.F("first")), ("owed", "refund")), models.Q(("last", models.F("first")), ("owed", "prize")), _connector="OR"),
                        name="unclaimed_not_empty",
                    ),
                    models.CheckConstraint(condition=models.Q(("price__gt", 0)), name="unclaimed_price_positive"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("to", ""), ("until__isnull", True)), models.Q(("to__in", ("jackpot", "treasury", "operator", "charity")), ("until__isnull", False)), _connector="OR"
                        ),
                        name="unclaimed_period_with_destination",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[
                            ("game", "="),
                            ("issue", "="),
                            ("owed", "="),
                            (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&"),
                        ],
                        name="card_set_aside_once_r60",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="UnclaimedSettlement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="settlements", to="draws.unclaimeditem")),
                ("how", models.CharField(max_length=7)),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("shift", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="unclaimed_paid", to="halls.shift")),
                ("complaint", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.complaint")),
                ("at", models.DateTimeField()),
                ("entry", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="unclaimed_settled", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("last__gte", models.F("first"))), name="unclaimed_settlement_not_empty"),
                    models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="unclaimed_settlement_positive"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("how", "paid"), ("shift__isnull", False)), models.Q(("complaint__isnull", True), ("how", "expired"), ("shift__isnull", True)), _connector="OR"),
                        name="unclaimed_paid_out_of_a_till",
                    ),
                ]
            },
        ),
        migrations.AddConstraint(model_name="unclaimedsettlement", constraint=models.UniqueConstraint(condition=models.Q(("how", "paid")), fields=("entry",), name="unclaimed_paid_once_an_entry")),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[("item", "="), (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&")],
                name="unclaimed_paid_once_r50",
            ),
        ),
        migrations.CreateModel(
            name="Acta",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pdf", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
                ("head_number", models.BigIntegerField()),
                ("head_digest", models.CharField(max_length=64)),
                ("certificate", models.TextField()),
                ("sealed_at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
                ("key", models.PositiveIntegerField(default=1)),
                ("level", models.CharField(default="B-B", max_length=5)),
                ("session", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="acta", to="halls.session")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("head_number__gt", 0)), name="acta_has_a_head"),
                    models.CheckConstraint(condition=models.Q(("key__gt", 0)), name="acta_key_counts_from_one"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Rectification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="rectifications", to="halls.session")),
                ("number", models.PositiveIntegerField()),
                ("previous", models.PositiveIntegerField(null=True)),
                ("rectifies", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=500)),
                ("what", models.CharField(max_length=4000)),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("session", "number"), name="rectification_once"),
                    models.UniqueConstraint(fields=("session", "previous"), name="rectifications_chained", nulls_distinct=False),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("number", 1), ("previous__isnull", True)),
                            models.Q(("number", django.db.models.expressions.CombinedExpression(models.F("previous"), "+", models.Value(1))), ("previous__isnull", False)),
                            _connector="OR",
                        ),
                        name="rectification_follows",
                    ),
                    models.CheckConstraint(condition=models.Q(models.Q(("reason", ""), _negated=True), models.Q(("what", ""), _negated=True)), name="rectification_says_why"),
                ]
            },
        ),
        migrations.CreateModel(
            name="RectifiedActa",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pdf", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
                ("head_number", models.BigIntegerField()),
                ("head_digest", models.CharField(max_length=64)),
                ("certificate", models.TextField()),
                ("sealed_at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
                ("key", models.PositiveIntegerField(default=1)),
                ("level", models.CharField(default="B-B", max_length=5)),
                ("rectification", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="acta", to="draws.rectification")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("head_number__gt", 0)), name="rectified_has_a_head"),
                    models.CheckConstraint(condition=models.Q(("key__gt", 0)), name="rectified_key_from_one"),
                ]
            },
        ),
        migrations.CreateModel(
            name="SealFault",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="seal_faults", to="halls.session")),
                ("rectification", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="seal_faults", to="draws.rectification")),
                ("code", models.CharField(max_length=40)),
                ("attempts", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("next_at", models.DateTimeField()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("session", "rectification"), name="seal_fault_once", nulls_distinct=False)]},
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hall", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="exports", to="halls.hall")),
                ("by", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("key", models.UUIDField(unique=True)),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("pictures", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("cancelled", "Cancelled"), ("failed", "Failed"), ("expired", "Expired")],
                        db_index=True,
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("step", models.CharField(blank=True, max_length=10)),
                ("written", models.PositiveIntegerField(default=0)),
                ("files", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(null=True)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("fault", models.CharField(blank=True, max_length=200)),
                ("losses", models.PositiveSmallIntegerField(default=0)),
                ("asked_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("last__gte", models.F("first"))), name="export_not_empty"),
                    models.CheckConstraint(condition=models.Q(("state__in", ["queued", "running", "done", "cancelled", "failed", "expired"])), name="export_state_known"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True), models.Q(("expires_at__isnull", False), ("size__isnull", False), models.Q(("digest", ""), _negated=True)), _connector="OR"
                        ),
                        name="export_done_has_file",
                    ),
                    models.UniqueConstraint(condition=models.Q(("state__in", ("queued", "running"))), fields=("by",), name="export_one_under_way_a_person"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Taking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="takings", to="draws.issue")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="takings", to="draws.game")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("previous", models.PositiveIntegerField(null=True)),
                ("seller", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("passed", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("last__gte", models.F("first"))), name="taking_not_empty"),
                    models.CheckConstraint(
                        condition=models.Q(("first", django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Coalesce(models.F("previous"), 0), "+", models.Value(1)))),
                        name="taking_without_gap_r36",
                    ),
                    models.CheckConstraint(condition=models.Q(("passed", False), ("seller__isnull", True), _connector="OR"), name="taking_passed_by_nobody"),
                ]
            },
        ),
        migrations.AddConstraint(model_name="taking", constraint=models.UniqueConstraint(fields=("issue", "previous"), name="taking_predecessor_once_r36", nulls_distinct=False)),
        migrations.AddConstraint(model_name="taking", constraint=models.UniqueConstraint(fields=("issue", "last"), name="taking_last_once")),
        migrations.AddConstraint(model_name="taking", constraint=models.UniqueConstraint(fields=("issue", "first", "last"), name="taking_once")),
        migrations.AddConstraint(
            model_name="taking",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[("issue", "="), (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&")],
                name="card_taken_once_r36",
            ),
        ),
        migrations.CreateModel(
            name="Sale",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sales", to="draws.game")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sales", to="draws.issue")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("shift", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sales", to="halls.shift")),
                ("seller", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("player", models.CharField(blank=True, max_length=20)),
                ("at", models.DateTimeField()),
                ("entry", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="sales", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("last__gte", models.F("first"))), name="sale_not_empty"),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[("issue", "="), (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&")],
                        name="card_sold_once_r36",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Refund",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="refunds", to="draws.game")),
                ("issue", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="draws.issue")),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("shift", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="refunds", to="halls.shift")),
                ("amount", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("last__gte", models.F("first"))), name="refund_not_empty"),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[("issue", "="), (draws.models.cards.CardRange("first", "last", django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True)), "&&")],
                        name="card_refunded_once_r57",
                    ),
                ]
            },
        ),
    ]
