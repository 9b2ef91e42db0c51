-- What proves who somebody is: changed as the journal tells, and in no other way.
--
-- Rule: a password, a factor, recovery codes, a PIN and the end of a link change while the newest
-- entry of the person's own hall says so of that very person, and by the digest of what is written:
-- an entry lets its one value in and no other. Codes and PINs go with what they stand for. Asked of
-- whoever may not change every column, the application; the owner needs no journal. A hall whose
-- journal does not begin with its opening is one of training, or is being opened.

CREATE FUNCTION kept_digest(kept text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(sha256(convert_to(kept, 'UTF8')), 'hex')
$$;

CREATE FUNCTION must_be_told(kept regclass, person bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT has_table_privilege(kept, 'UPDATE') AND EXISTS (
        SELECT 1 FROM public.halls_person p JOIN public.halls_journalentry e ON e.hall_id = p.hall_id
         WHERE p.id = person AND e.number = 1 AND e.kind = 'hall_opened'
    )
$$;

-- By the hall of the person, whatever hall the row names.
CREATE FUNCTION newest_entry_of(person bigint) RETURNS public.halls_journalentry
LANGUAGE sql STABLE AS $$
    SELECT e.* FROM public.halls_journalentry e
      JOIN public.halls_person p ON p.hall_id = e.hall_id
     WHERE p.id = person ORDER BY e.number DESC LIMIT 1
$$;

CREATE FUNCTION tells_own(entry public.halls_journalentry, person bigint, change text)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(entry.kind = 'sign_in_changed' AND entry.by_id = person
                    AND entry.data ->> 'change' = change, false)
$$;

-- Of an account that others change: its name is told.
CREATE FUNCTION tells_of(entry public.halls_journalentry, person bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM public.halls_person p
                    WHERE p.id = person AND p.hall_id = entry.hall_id
                      AND p.username = entry.data ->> 'username')
$$;

-- A password of their own choice (true), one given by others (false), or none (null).
CREATE FUNCTION tells_password(entry public.halls_journalentry, person bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN entry.kind = 'password_changed' AND entry.by_id = person THEN true
        WHEN entry.kind IN ('staff_changed', 'inspector_changed', 'account_changed')
             AND entry.data ->> 'change' = 'password' AND public.tells_of(entry, person) THEN false
    END
$$;

CREATE FUNCTION refuse_password_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
BEGIN
    IF (NEW.password, NEW.password_given) IS NOT DISTINCT FROM (OLD.password, OLD.password_given)
       OR NOT public.must_be_told(TG_RELID, NEW.id)
    THEN
        RETURN NEW;
    END IF;
    entry := public.newest_entry_of(NEW.id);
    IF public.tells_password(entry, NEW.id) IS DISTINCT FROM NOT NEW.password_given
       OR entry.data ->> 'password_digest' IS DISTINCT FROM public.kept_digest(NEW.password)
    THEN
        RAISE EXCEPTION 'no entry of the journal tells of this password'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER password_told BEFORE UPDATE OF password, password_given ON halls_person
    FOR EACH ROW EXECUTE FUNCTION refuse_password_untold();
ALTER TABLE halls_person ENABLE ALWAYS TRIGGER password_told;

-- Who takes a factor away stands in its row, and that its owner was told of it only where they did.
CREATE FUNCTION refuse_factor_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
    kept public.halls_factor;
    right_one boolean;
    told boolean := false;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        kept := OLD;
        IF NEW.removed_at IS NULL AND (NEW.credential, NEW.public_key, NEW.secret)
           IS DISTINCT FROM (OLD.credential, OLD.public_key, OLD.secret)
        THEN
            RAISE EXCEPTION 'what proves a factor never changes'
                USING ERRCODE = 'restrict_violation';
        ELSIF OLD.removed_at IS NOT NULL AND NEW.removed_by_id IS DISTINCT FROM OLD.removed_by_id
              OR OLD.told_at IS NOT NULL AND NEW.told_at IS DISTINCT FROM OLD.told_at
              OR NEW.removed_at IS NULL AND NEW.told_at IS NOT NULL
        THEN
            RAISE EXCEPTION 'who took a factor away is told once, and stays'
                USING ERRCODE = 'restrict_violation';
        ELSIF NEW.removed_at IS NOT DISTINCT FROM OLD.removed_at THEN
            RETURN NEW;
        END IF;
    ELSE
        kept := NEW;
    END IF;
    IF NOT public.must_be_told(TG_RELID, NEW.person_id) THEN
        RETURN NEW;
    END IF;
    entry := public.newest_entry_of(NEW.person_id);
    right_one := entry.data ->> 'digest'
        = public.kept_digest(kept.credential || ' ' || kept.public_key || ' ' || kept.secret);
    IF TG_OP = 'INSERT' THEN
        told := right_one AND public.tells_own(entry, NEW.person_id, 'added')
            AND entry.data ->> 'factor' = NEW.kind AND entry.data ->> 'name' = NEW.name
            AND NEW.removed_at IS NULL AND NEW.told_at IS NULL;
    ELSIF public.tells_own(entry, NEW.person_id, 'removed') THEN
        told := right_one AND NEW.removed_by_id = NEW.person_id;
    ELSIF entry.kind = 'factor_removed' THEN
        told := right_one AND public.tells_of(entry, NEW.person_id)
            AND NEW.removed_by_id = entry.by_id AND NEW.told_at IS NULL;
    ELSIF entry.kind = 'account_changed' THEN
        told := entry.data ->> 'change' = 'factor' AND public.tells_of(entry, NEW.person_id)
            AND NEW.removed_by_id IS NULL AND NEW.told_at IS NULL;
    END IF;
    IF told IS NOT TRUE THEN
        RAISE EXCEPTION 'no entry of the journal tells of this factor'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER factor_told BEFORE INSERT OR UPDATE ON halls_factor
    FOR EACH ROW EXECUTE FUNCTION refuse_factor_untold();
ALTER TABLE halls_factor ENABLE ALWAYS TRIGGER factor_told;

CREATE FUNCTION refuse_code_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
    whose bigint;
    told boolean;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.used_at IS NOT NULL AND NEW.used_at IS DISTINCT FROM OLD.used_at
           OR NEW.digest <> OLD.digest OR NEW.person_id <> OLD.person_id
        THEN
            RAISE EXCEPTION 'a recovery code is used once' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    whose := CASE TG_OP WHEN 'INSERT' THEN NEW.person_id ELSE OLD.person_id END;
    entry := public.newest_entry_of(whose);
    IF TG_OP = 'INSERT' THEN
        told := public.tells_own(entry, whose, 'codes_made') AND NEW.used_at IS NULL
            AND entry.data -> 'codes' ? NEW.digest;
    ELSE
        told := public.tells_own(entry, whose, 'codes_made')
            OR public.tells_own(entry, whose, 'removed')
            OR entry.kind = 'factor_removed' AND public.tells_of(entry, whose)
            OR entry.kind = 'account_changed' AND entry.data ->> 'change' = 'factor'
               AND public.tells_of(entry, whose);
    END IF;
    IF told IS NOT TRUE AND public.must_be_told(TG_RELID, whose) THEN
        RAISE EXCEPTION 'no entry of the journal tells of this recovery code'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
END $$;
CREATE TRIGGER code_told BEFORE INSERT OR UPDATE OR DELETE ON halls_recoverycode
    FOR EACH ROW EXECUTE FUNCTION refuse_code_untold();
ALTER TABLE halls_recoverycode ENABLE ALWAYS TRIGGER code_told;

CREATE FUNCTION refuse_pin_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
    whose bigint;
    told boolean;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.hashed = OLD.hashed AND NEW.person_id = OLD.person_id THEN
        RETURN NEW;
    END IF;
    whose := CASE TG_OP WHEN 'DELETE' THEN OLD.person_id ELSE NEW.person_id END;
    entry := public.newest_entry_of(whose);
    IF TG_OP = 'DELETE' THEN
        told := public.tells_own(entry, whose, 'pin_removed')
            OR public.tells_password(entry, whose) IS NOT NULL;
    ELSE
        told := public.tells_own(entry, whose, 'pin_set')
            AND entry.data ->> 'digest' = public.kept_digest(NEW.hashed);
    END IF;
    IF told IS NOT TRUE AND public.must_be_told(TG_RELID, whose) THEN
        RAISE EXCEPTION 'no entry of the journal tells of this PIN'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER pin_told BEFORE INSERT OR UPDATE OR DELETE ON halls_pin
    FOR EACH ROW EXECUTE FUNCTION refuse_pin_untold();
ALTER TABLE halls_pin ENABLE ALWAYS TRIGGER pin_told;

-- How a link is made: 0007_sign_in.sql.
CREATE FUNCTION refuse_link_end_untold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
BEGIN
    IF NEW.ended_at IS NOT DISTINCT FROM OLD.ended_at
       OR NOT public.must_be_told(TG_RELID, NEW.person_id)
    THEN
        RETURN NEW;
    END IF;
    entry := public.newest_entry_of(NEW.person_id);
    IF public.tells_password(entry, NEW.person_id) IS NULL
       AND (entry.data ->> 'account' = public.kept_digest(NEW.issuer || ' ' || NEW.subject)
            AND (public.tells_own(entry, NEW.person_id, 'provider_unlinked')
                 OR entry.kind = 'provider_unlinked' AND public.tells_of(entry, NEW.person_id)))
           IS NOT TRUE
    THEN
        RAISE EXCEPTION 'no entry of the journal tells that this link ended'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER link_end_told BEFORE UPDATE OF ended_at ON halls_providerlink
    FOR EACH ROW EXECUTE FUNCTION refuse_link_end_untold();
ALTER TABLE halls_providerlink ENABLE ALWAYS TRIGGER link_end_told;
