-- A sale that was taken back.
--
-- Rule: a sale is never changed. It goes only where the journal says that its entry was taken back,
-- by an entry after it in the same session; its cards are on the stack again then.

CREATE FUNCTION refuse_change_of_sale() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1
          FROM halls_journalentry sold
          JOIN halls_journalentry back
            ON back.hall_id = sold.hall_id AND back.number > sold.number
           AND back.session_id = sold.session_id AND back.kind = 'sale_taken_back'
           AND (back.data ->> 'sale')::bigint = sold.number
         WHERE sold.id = OLD.entry_id
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

DROP TRIGGER append_only ON draws_sale;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON draws_sale
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_sale();
ALTER TABLE draws_sale ENABLE ALWAYS TRIGGER append_only;
