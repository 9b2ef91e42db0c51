-- The tables of the house that are only added to.
--
-- Rule: a row of them is never changed or deleted, by whomever, the tables' owner included; the
-- table is never emptied. Looks, visits and removals have rules of their own (0002_retention.sql).
-- ENABLE ALWAYS: not even a session that replicates, in which triggers are silent, goes round them.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'halls_admission',
        'halls_authorisation',
        'halls_cashmovement',
        'halls_checkpoint',
        'halls_equipmentcheck',
        'halls_exclusion',
        'halls_journalentry',
        'halls_liftedexclusion',
        'halls_linkmovement',
        'halls_policy',
        'halls_retention',
        'halls_slip'
    ] LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION refuse_change()', name);
        EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only', name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only_whole', name);
    END LOOP;
END $$;
