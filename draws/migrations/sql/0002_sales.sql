-- Cards taken off the stack of an issue, and sold (R36).
--
-- Rule: a taking follows a taking, when a transaction ends at the latest, so that cards leave the
-- stack in their order or not at all. Only cards that were taken, by no seller and not passed over,
-- are sold; what is sold stays taken as it is.

ALTER TABLE draws_taking ADD CONSTRAINT taking_follows_a_taking_r36
    FOREIGN KEY (issue_id, previous) REFERENCES draws_taking (issue_id, last)
    DEFERRABLE INITIALLY DEFERRED;

-- `sellable` makes the condition a part of the key that a sale refers to.
ALTER TABLE draws_taking ADD COLUMN sellable boolean NOT NULL
    GENERATED ALWAYS AS (NOT passed AND seller_id IS NULL) STORED;
ALTER TABLE draws_taking ADD CONSTRAINT taking_sellable_once
    UNIQUE (issue_id, first, last, sellable);
ALTER TABLE draws_sale ADD COLUMN sellable boolean NOT NULL GENERATED ALWAYS AS (true) STORED;
ALTER TABLE draws_sale ADD CONSTRAINT sale_of_what_was_taken_r36
    FOREIGN KEY (issue_id, first, last, sellable)
    REFERENCES draws_taking (issue_id, first, last, sellable);
