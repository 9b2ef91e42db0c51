-- Who may do what, and who may log in.
--
-- Rule: the application changes neither roles nor names, nor whether somebody may log in. It writes
-- the change into the journal first, and `apply_staff_change` does what the newest such entry about
-- the person says, and nothing else. Accounts of training follow their owner's: `keep_in_step`.

CREATE FUNCTION apply_staff_change(told bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    entry halls_journalentry;
    changed bigint;
BEGIN
    SELECT * INTO entry FROM halls_journalentry 
     WHERE id = told AND kind IN ('staff_changed', 'inspector_changed', 'account_changed');
    IF NOT FOUND OR EXISTS (
        SELECT 1 FROM halls_journalentry later
         WHERE later.hall_id = entry.hall_id AND later.number > entry.number
           AND later.kind IN ('staff_changed', 'inspector_changed', 'account_changed')
           AND later.data ->> 'username' = entry.data ->> 'username'
    ) THEN
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
