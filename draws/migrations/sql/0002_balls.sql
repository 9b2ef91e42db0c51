-- The balls of a game.
--
-- Rule: a ball follows the ball before it, without a gap. Which is the one before, and that no ball
-- has two after it, the constraints of the model say (draws/models/game.py).

ALTER TABLE draws_ball ADD CONSTRAINT ball_follows_a_ball
    FOREIGN KEY (game_id, previous) REFERENCES draws_ball (game_id, "order");
