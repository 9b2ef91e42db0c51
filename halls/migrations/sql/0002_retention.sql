-- What is kept no longer: removals, the looks of inspectors, the register of admissions.
--
-- Rule: of a removal only its end is written later, once. A look or a visit goes by a removal that
-- the journal tells of and that is not finished, as far as that removal names, and by nothing else;
-- a visit never before its time (BOE III). The application may delete neither: `remove_looks` and
-- `remove_visits` run as the owner and do it in its place.

CREATE FUNCTION refuse_removal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NULL
       AND (NEW.id, NEW.hall_id, NEW.number, NEW.listed, NEW.looks_upto, NEW.visits_upto, NEW.entry_id)
           IS NOT DISTINCT FROM
           (OLD.id, OLD.hall_id, OLD.number, OLD.listed, OLD.looks_upto, OLD.visits_upto, OLD.entry_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_removal
    FOR EACH ROW EXECUTE FUNCTION refuse_removal_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_removal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only_whole;

CREATE FUNCTION refuse_look_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM public.halls_removal removal
        JOIN public.halls_journalentry entry ON entry.id = removal.entry_id
        WHERE removal.hall_id = OLD.hall_id AND removal.looks_upto >= OLD.id
          AND removal.finished_at IS NULL
          AND entry.hall_id = OLD.hall_id AND entry.kind = 'retention_applied'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_look
    FOR EACH ROW EXECUTE FUNCTION refuse_look_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_look
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only_whole;

CREATE FUNCTION remove_looks(removal bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM halls_look USING halls_removal
    WHERE halls_removal.id = removal AND halls_removal.finished_at IS NULL
      AND halls_look.hall_id = halls_removal.hall_id
      AND halls_look.id <= halls_removal.looks_upto;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;

CREATE FUNCTION refuse_visit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM public.halls_removal removal
        JOIN public.halls_journalentry entry ON entry.id = removal.entry_id
        WHERE removal.hall_id = OLD.hall_id AND removal.visits_upto >= OLD.number
          AND removal.finished_at IS NULL
          AND entry.hall_id = OLD.hall_id AND entry.kind = 'retention_applied'
          AND entry.at >= OLD.kept_until
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_visit
    FOR EACH ROW EXECUTE FUNCTION refuse_visit_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_visit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_visit ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_visit ENABLE ALWAYS TRIGGER append_only_whole;

CREATE FUNCTION remove_visits(removal bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM halls_visit USING halls_removal
    WHERE halls_removal.id = removal AND halls_removal.finished_at IS NULL
      AND halls_visit.hall_id = halls_removal.hall_id
      AND halls_visit.number <= halls_removal.visits_upto;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
