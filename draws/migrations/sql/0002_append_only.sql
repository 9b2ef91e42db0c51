-- The tables of the game that are only added to.
--
-- Rule: a row of them is never changed or deleted, by whomever, the tables' owner included; the
-- table is never emptied. `refuse_change` is the house's (halls/migrations/sql/0002_append_only.sql).

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'draws_acta',
        'draws_card',
        'draws_cardcollection',
        'draws_carriedcard',
        'draws_certificate',
        'draws_claimcheck',
        'draws_departure',
        'draws_pattern',
        'draws_payment',
        'draws_recount',
        'draws_rectification',
        'draws_rectifiedacta',
        'draws_refund',
        'draws_retirement',
        'draws_sale',
        'draws_series',
        'draws_setaside',
        'draws_showncard',
        'draws_unclaimeditem',
        'draws_unclaimedsettlement',
        'draws_useddestruction'
    ] LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION refuse_change()', name);
        EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only', name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only_whole', name);
    END LOOP;
END $$;
