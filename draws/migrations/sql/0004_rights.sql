-- Balls that are taken back, the prizes of games that are void, and what binds a game's numbers.
--
-- Rule: the application deletes neither. It writes into the journal that the last ball was recalled
-- or that the game is void, and these functions take away what that entry names, and nothing else,
-- while it is the newest of its hall: no ball that came again, no prize of another game.

CREATE FUNCTION take_back_ball(told bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM draws_ball ball
     USING draws_game game, halls_journalentry recalled
     WHERE recalled.id = told AND recalled.kind = 'ball_recalled'
       AND game.session_id = recalled.session_id AND game.number = recalled.game
       AND ball.game_id = game.id AND ball."order" = (recalled.data ->> 'count')::integer
       AND ball.number = (recalled.data ->> 'number')::integer
       AND is_newest_entry(told);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;

CREATE FUNCTION drop_prizes(told bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM draws_prize prize
     USING draws_game game, halls_journalentry voided
     WHERE voided.id = told AND voided.kind = 'game_voided'
       AND game.session_id = voided.session_id AND game.number = voided.game
       AND prize.game_id = game.id AND is_newest_entry(told);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;

-- A game is bound once, before a card of it is sold, and to what its entry tells; whoever may change
-- every column, the owner, needs no journal. An archive puts bound games in after their journal.
CREATE FUNCTION refuse_new_commitment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF has_table_privilege(TG_RELID, 'UPDATE')
       OR TG_OP = 'INSERT' AND NEW.commitment IS NULL
       OR TG_OP = 'UPDATE' AND NEW.commitment IS NOT DISTINCT FROM OLD.commitment
    THEN
        RETURN NEW;
    ELSIF TG_OP = 'UPDATE' AND OLD.commitment IS NOT NULL THEN
        RAISE EXCEPTION 'a game is bound once' USING ERRCODE = 'restrict_violation';
    ELSIF NOT EXISTS (
        SELECT FROM halls_journalentry
         WHERE session_id = NEW.session_id AND game = NEW.number
           AND kind IN ('sale_announced', 'second_half_opened')
           AND data ->> 'commitment' = NEW.commitment
           AND (TG_OP = 'INSERT' OR is_newest_entry(id))
    ) THEN
        RAISE EXCEPTION 'no entry of the journal binds this game'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER game_bound_once BEFORE INSERT OR UPDATE OF commitment ON draws_game
    FOR EACH ROW EXECUTE FUNCTION refuse_new_commitment();
ALTER TABLE draws_game ENABLE ALWAYS TRIGGER game_bound_once;
