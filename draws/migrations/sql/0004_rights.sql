-- Balls that are taken back, and the prizes of games that are void.
--
-- Rule: the application deletes neither. It writes into the journal that the last ball was recalled
-- or that the game is void, and these functions take away what that entry names, and nothing else:
-- a ball only while no entry of its game announced or recalled another after it.

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
       AND NOT EXISTS (
           SELECT 1 FROM halls_journalentry later
            WHERE later.session_id = recalled.session_id AND later.game = recalled.game
              AND later.number > recalled.number
              AND later.kind IN ('ball_announced', 'ball_recalled')
       );
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
       AND prize.game_id = game.id;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
