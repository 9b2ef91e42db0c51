-- The account of a jackpot that several halls share.
--
-- Rule: a movement goes on from the number and the balance of the one before, or cannot be written.

ALTER TABLE halls_linkmovement ADD CONSTRAINT link_movement_chained
    FOREIGN KEY (link_id, previous, before)
    REFERENCES halls_linkmovement (link_id, number, balance);
