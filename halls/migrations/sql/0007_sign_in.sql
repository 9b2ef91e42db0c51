-- The second factor: which halls go without, and what becomes of a factor.
--
-- Rule: a hall that asks its managers and inspectors for a second factor stops asking only by the
-- newest entry of its journal, where that names a second person; once it has opened a session, a day
-- later. A factor that was removed does not come back,
-- is nobody else's, and a code or a count that was used is not used again. Who somebody is at the
-- chain's provider is what they said themselves in the newest entry of their hall's journal; no
-- inspector is signed in by it, and a link that was ended does not come back.

-- Halls to look around and to play in go on as they were; a real one asks from now on.
UPDATE halls_hall SET second_factor = false
 WHERE trains_id IS NOT NULL OR code = 'demonstracao' OR code LIKE 'demo-%';

CREATE FUNCTION refuse_factor_waiver() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    entry public.halls_journalentry;
    since timestamptz;
BEGIN
    IF NOT (OLD.second_factor AND NOT NEW.second_factor)
       AND (NEW.factor_waived_from IS NULL
            OR NEW.factor_waived_from IS NOT DISTINCT FROM OLD.factor_waived_from)
    THEN
        RETURN NEW;
    END IF;
    SELECT * INTO entry FROM public.halls_journalentry
     WHERE hall_id = NEW.id ORDER BY number DESC LIMIT 1;
    since := (entry.data ->> 'from')::timestamptz;
    IF entry.kind IS DISTINCT FROM 'second_factor_set' OR entry.data ->> 'required' <> 'false'
       OR NOT entry.data ? 'witness' OR NEW.factor_waived_from IS DISTINCT FROM since
       OR since < entry.at + interval '24 hours'
       OR since IS NOT NULL AND NOT NEW.second_factor
       OR since IS NULL AND EXISTS (SELECT 1 FROM public.halls_session WHERE hall_id = NEW.id)
    THEN
        RAISE EXCEPTION 'a hall asks for no second factor any more only before two persons, a day later'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER factor_waived_by_two BEFORE UPDATE OF second_factor, factor_waived_from ON halls_hall
    FOR EACH ROW EXECUTE FUNCTION refuse_factor_waiver();
ALTER TABLE halls_hall ENABLE ALWAYS TRIGGER factor_waived_by_two;

CREATE FUNCTION refuse_factor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.person_id <> OLD.person_id OR NEW.kind <> OLD.kind THEN
        RAISE EXCEPTION 'a factor stays its person''s' USING ERRCODE = 'restrict_violation';
    ELSIF OLD.removed_at IS NOT NULL AND NEW.removed_at IS DISTINCT FROM OLD.removed_at THEN
        RAISE EXCEPTION 'a factor that was removed does not come back'
            USING ERRCODE = 'restrict_violation';
    ELSIF NEW.step < OLD.step OR NEW.count < OLD.count THEN
        RAISE EXCEPTION 'a code is used once' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER factor_for_good BEFORE UPDATE ON halls_factor
    FOR EACH ROW EXECUTE FUNCTION refuse_factor_change();
ALTER TABLE halls_factor ENABLE ALWAYS TRIGGER factor_for_good;

CREATE FUNCTION refuse_provider_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM halls_person p
          JOIN halls_hall h ON h.id = p.hall_id
          JOIN LATERAL (SELECT * FROM halls_journalentry
                         WHERE hall_id = h.id ORDER BY number DESC LIMIT 1) e ON true
         WHERE p.id = NEW.person_id AND h.id = NEW.hall_id AND h.trains_id IS NULL
           AND NOT 'inspector' = ANY (p.roles)
           AND e.kind = 'sign_in_changed' AND e.by_id = p.id
           AND e.data ->> 'change' = 'provider_linked' AND e.data ->> 'issuer' = NEW.issuer
           AND e.data ->> 'account'
               = encode(sha256(convert_to(NEW.issuer || ' ' || NEW.subject, 'UTF8')), 'hex')
    ) THEN
        RAISE EXCEPTION 'somebody is linked by their own entry of the journal, and no inspector is'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER provider_linked_by_entry BEFORE INSERT ON halls_providerlink
    FOR EACH ROW EXECUTE FUNCTION refuse_provider_link();
ALTER TABLE halls_providerlink ENABLE ALWAYS TRIGGER provider_linked_by_entry;

CREATE FUNCTION refuse_provider_link_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.person_id <> OLD.person_id OR NEW.issuer <> OLD.issuer OR NEW.subject <> OLD.subject THEN
        RAISE EXCEPTION 'a link stays its person''s' USING ERRCODE = 'restrict_violation';
    ELSIF OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at THEN
        RAISE EXCEPTION 'a link that was ended does not come back'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER provider_link_for_good BEFORE UPDATE ON halls_providerlink
    FOR EACH ROW EXECUTE FUNCTION refuse_provider_link_change();
ALTER TABLE halls_providerlink ENABLE ALWAYS TRIGGER provider_link_for_good;
