"""Cards, sales, payments, refunds, checks and actas never change; sales and balls form one chain."""

from importlib import import_module

from django.db import migrations

guards = import_module("halls.migrations.0002_append_only")

TABLES = (
    "draws_series",
    "draws_card",
    "draws_sale",
    "draws_refund",
    "draws_payment",
    "draws_claimcheck",
    "draws_acta",
)

# A sale follows a sale that exists; a ball follows the ball before it.
CHAINS = """
ALTER TABLE draws_sale ADD CONSTRAINT sale_follows_a_sale_r36
    FOREIGN KEY (issue_id, previous) REFERENCES draws_sale (issue_id, last);
ALTER TABLE draws_ball ADD CONSTRAINT ball_follows_a_ball
    FOREIGN KEY (game_id, previous) REFERENCES draws_ball (game_id, "order");
"""
UNCHAIN = """
ALTER TABLE draws_sale DROP CONSTRAINT sale_follows_a_sale_r36;
ALTER TABLE draws_ball DROP CONSTRAINT ball_follows_a_ball;
"""


class Migration(migrations.Migration):
    dependencies = [("draws", "0001_initial"), ("halls", "0002_append_only")]
    operations = [
        migrations.RunSQL(CHAINS, UNCHAIN),
        *(migrations.RunSQL(guards.guard(table), guards.unguard(table)) for table in TABLES),
    ]
