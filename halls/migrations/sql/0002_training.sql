-- Training halls: what trains which, and whose account there is whose.
--
-- Rule: a training hall is never trained itself, never becomes a real one, and is left once.
-- Somebody practises in the hall that trains their own, and an account changes neither. Play money
-- is never in the jackpot of several halls.

CREATE FUNCTION refuse_training_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.trains_id IS DISTINCT FROM OLD.trains_id THEN
            RAISE EXCEPTION 'what a hall trains never changes'
                USING ERRCODE = 'restrict_violation';
        ELSIF OLD.trained_until IS NOT NULL
              AND NEW.trained_until IS DISTINCT FROM OLD.trained_until THEN
            RAISE EXCEPTION 'a training hall is left once' USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF EXISTS (
        SELECT 1 FROM halls_hall WHERE id = NEW.trains_id AND trains_id IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'a training hall is not trained' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER training_for_good BEFORE INSERT OR UPDATE OF trains_id, trained_until ON halls_hall
    FOR EACH ROW EXECUTE FUNCTION refuse_training_change();
ALTER TABLE halls_hall ENABLE ALWAYS TRIGGER training_for_good;

CREATE FUNCTION refuse_foreign_practice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.practises_id IS DISTINCT FROM OLD.practises_id THEN
        RAISE EXCEPTION 'who practises as an account never changes'
            USING ERRCODE = 'restrict_violation';
    ELSIF NEW.practises_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.hall_id <> OLD.hall_id)
          AND NOT EXISTS (
        SELECT 1 FROM halls_person own JOIN halls_hall hall ON hall.id = NEW.hall_id
        WHERE own.id = NEW.practises_id AND hall.trains_id = own.hall_id
    ) THEN
        RAISE EXCEPTION 'people practise in the hall that trains theirs'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER practice_of_own_hall BEFORE INSERT OR UPDATE OF practises_id, hall_id ON halls_person
    FOR EACH ROW EXECUTE FUNCTION refuse_foreign_practice();
ALTER TABLE halls_person ENABLE ALWAYS TRIGGER practice_of_own_hall;

CREATE FUNCTION refuse_training_in_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM halls_hall WHERE id = NEW.hall_id AND trains_id IS NOT NULL) THEN
        RAISE EXCEPTION 'a training hall takes part in no linked jackpot'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER no_training_in_link BEFORE INSERT ON halls_linkmember
    FOR EACH ROW EXECUTE FUNCTION refuse_training_in_link();
ALTER TABLE halls_linkmember ENABLE ALWAYS TRIGGER no_training_in_link;
