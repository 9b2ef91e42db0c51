-- Money that nobody fetched (R44, R50, R57, R60).
--
-- Rule: what settles an item lies within its cards, at its price. A constraint of one row cannot see
-- the other, so a trigger looks.

CREATE FUNCTION require_within_unclaimed_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM draws_unclaimeditem item
        WHERE item.id = NEW.item_id AND item.first <= NEW.first AND NEW.last <= item.last
            AND NEW.amount = item.price * (NEW.last::bigint - NEW.first + 1)
    ) THEN
        RAISE EXCEPTION 'unclaimed_within_its_item' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER within_item BEFORE INSERT ON draws_unclaimedsettlement
    FOR EACH ROW EXECUTE FUNCTION require_within_unclaimed_item();
ALTER TABLE draws_unclaimedsettlement ENABLE ALWAYS TRIGGER within_item;
