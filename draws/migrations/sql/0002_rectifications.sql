-- What rectifies an acta.
--
-- Rule: a rectification rests on the one before it in its session, which exists.

ALTER TABLE draws_rectification ADD CONSTRAINT rectification_follows_one
    FOREIGN KEY (session_id, previous) REFERENCES draws_rectification (session_id, number);
