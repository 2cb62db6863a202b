-- How often rows that a record tells were undone, or done again, since it was last edited: it is owed an edit then.
ALTER TABLE record ADD COLUMN owed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX record_owed ON record (channel) WHERE owed <> 0;
