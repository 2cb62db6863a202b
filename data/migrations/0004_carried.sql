-- What the end of an encounter brought home to saved characters, so that an undo takes it back: the character's
-- document before and after the log row. It stays where the player has saved the character anew since.
CREATE TABLE carried (
    log INTEGER NOT NULL REFERENCES log (id) ON DELETE CASCADE,
    guild TEXT NOT NULL,
    owner TEXT NOT NULL,
    folded TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (log, guild, owner, folded)
) WITHOUT ROWID;

CREATE INDEX carried_owner ON carried (owner);
