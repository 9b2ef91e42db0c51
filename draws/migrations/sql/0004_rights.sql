-- Balls that are taken back, and the prizes of games that are void.
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
