-- Who may do what, and who may log in; and the order of the journal that says so.
--
-- Rule: the application changes neither roles nor names, nor whether somebody may log in. It writes
-- the change into the journal first, and `apply_staff_change` does what the newest entry of the hall
-- says, and nothing else. Accounts of training follow their owner's: `keep_in_step`. Nobody is added
-- to a hall that was opened but as its journal tells of them. An entry comes after the last one, and
-- is of now.

-- How far an entry's time may lie from the server's own clock: a page may wait for its hall, and its
-- machine may have another clock. Only whoever owns the tables can set it, by this function.
CREATE FUNCTION entry_time_bound() RETURNS interval LANGUAGE sql STABLE AS $$
    SELECT interval '5 minutes'
$$;

-- By whomever, the tables' owner included. Entries of one statement see those before them. The time
-- is asked of whoever may not change every column, the application. Where the clock was set back an
-- entry has the last one's time. An archive puts a journal in before its hall.
CREATE FUNCTION refuse_entry_out_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_number bigint;
    last_at timestamptz;
    now timestamptz := clock_timestamp();
    bound interval := public.entry_time_bound();
BEGIN
    SELECT number, at INTO last_number, last_at FROM public.halls_journalentry
     WHERE hall_id = NEW.hall_id ORDER BY number DESC LIMIT 1;
    IF NEW.number <> coalesce(last_number, 0) + 1 OR NEW.at < last_at THEN
        RAISE EXCEPTION 'an entry comes after the last one of its hall'
            USING ERRCODE = 'restrict_violation';
    ELSIF NEW.at NOT BETWEEN now - bound AND greatest(now + bound, last_at)
          AND NOT has_table_privilege(TG_RELID, 'UPDATE')
          AND EXISTS (SELECT FROM public.halls_hall WHERE id = NEW.hall_id)
    THEN
        RAISE EXCEPTION 'an entry is of now' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER entry_in_order BEFORE INSERT ON halls_journalentry
    FOR EACH ROW EXECUTE FUNCTION refuse_entry_out_of_order();
ALTER TABLE halls_journalentry ENABLE ALWAYS TRIGGER entry_in_order;

-- What the journal tells last of somebody, and whether it tells of them at all. A hall whose journal
-- does not begin with its opening is one of training, or is being opened: nothing is told of it yet.
CREATE FUNCTION refuse_person_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry record;
    told jsonb;
    active boolean := true;
    stands timestamptz;
BEGIN
    SELECT data -> 'manager' AS manager, data -> 'password_digest' AS digest INTO entry FROM public.halls_journalentry
     WHERE hall_id = NEW.hall_id AND number = 1 AND kind = 'hall_opened';
    -- Whoever may change every column, the owner, needs no journal to give somebody a role.
    IF NOT FOUND OR has_table_privilege(TG_RELID, 'UPDATE') THEN
        RETURN NEW;
    END IF;
    IF entry.manager ->> 'username' = NEW.username THEN
        told := entry.manager || jsonb_build_object('password_digest', entry.digest);
    END IF;
    FOR entry IN SELECT data FROM public.halls_journalentry
         WHERE hall_id = NEW.hall_id AND data ->> 'username' = NEW.username
           AND kind IN ('staff_changed', 'inspector_changed', 'account_changed') ORDER BY number
    LOOP
        IF entry.data ->> 'change' IN ('enrolled', 'set') THEN
            told := entry.data;
        ELSIF entry.data ->> 'change' IN ('enabled', 'disabled') THEN
            active := entry.data ->> 'change' = 'enabled';
        END IF;
        stands := coalesce((entry.data ->> 'witness_from')::timestamptz, stands);
    END LOOP;
    IF told IS NULL OR NEW.practises_id IS NOT NULL OR NEW.name <> told ->> 'name'
       OR to_jsonb(NEW.roles) <> told -> 'roles' OR NEW.is_active <> active
       OR NEW.witness_from IS DISTINCT FROM stands
       -- Whom an archive brings back has none: what begins so opens nothing.
       OR left(NEW.password, 1) <> '!' AND told ->> 'password_digest'
          IS DISTINCT FROM encode(sha256(convert_to(NEW.password, 'UTF8')), 'hex')
    THEN
        RAISE EXCEPTION 'no entry of the journal tells of this person'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER person_told BEFORE INSERT ON halls_person
    FOR EACH ROW EXECUTE FUNCTION refuse_person_untold();
ALTER TABLE halls_person ENABLE ALWAYS TRIGGER person_told;

-- What was carried out once is not carried out again, nor is what was never carried out.
CREATE FUNCTION is_newest_entry(told bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM public.halls_journalentry entry
         WHERE entry.id = told AND NOT EXISTS (
             SELECT 1 FROM public.halls_journalentry later
              WHERE later.hall_id = entry.hall_id AND later.number > entry.number
         )
    )
$$;

CREATE FUNCTION apply_staff_change(told bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    entry halls_journalentry;
    changed bigint;
BEGIN
    SELECT * INTO entry FROM halls_journalentry
     WHERE id = told AND kind IN ('staff_changed', 'inspector_changed', 'account_changed');
    IF NOT FOUND OR NOT is_newest_entry(told) THEN
        RAISE EXCEPTION 'no entry of the journal tells of this change'
            USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE halls_person SET
        name = CASE entry.data ->> 'change' WHEN 'set' THEN entry.data ->> 'name' ELSE name END,
        roles = CASE entry.data ->> 'change' WHEN 'set' THEN ARRAY(
            SELECT role FROM jsonb_array_elements_text(entry.data -> 'roles') WITH ORDINALITY
                AS given (role, place) ORDER BY place
        ) ELSE roles END,
        is_active = CASE entry.data ->> 'change'
            WHEN 'disabled' THEN false WHEN 'enabled' THEN true ELSE is_active END,
        witness_from = coalesce((entry.data ->> 'witness_from')::timestamptz, witness_from)
     WHERE hall_id = entry.hall_id AND username = entry.data ->> 'username'
       AND entry.data ->> 'change' IN ('set', 'disabled', 'enabled', 'password')
    RETURNING id INTO changed;
    RETURN changed;
END $$;

CREATE FUNCTION keep_in_step(account bigint, trained text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    changed bigint;
BEGIN
    -- Only of an account of a training hall: there nothing is real, so nothing is given away.
    UPDATE halls_person account_row
       SET name = own.name, language = own.language, roles = trained, is_active = true
      FROM halls_person own, halls_hall hall
     WHERE account_row.id = account AND own.id = account_row.practises_id
       AND hall.id = account_row.hall_id AND hall.trains_id = own.hall_id AND own.is_active
    RETURNING account_row.id INTO changed;
    RETURN changed;
END $$;
