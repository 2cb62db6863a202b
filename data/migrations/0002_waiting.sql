-- Whom a channel waits for, since when, and what comes next: nudges, deadlines, silent passes, windows that close.
-- `id` counts every arming in a channel. A wait lives from the log row `armed` to the log row `ended`; `place` is
-- 0 while it is open, 1 where it is past, 2 where it lies in the undone future, so that undo and redo find it again.
CREATE TABLE wait (
    channel TEXT NOT NULL,
    id INTEGER NOT NULL,
    encounter TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    who TEXT NOT NULL,
    place INTEGER NOT NULL,
    armed INTEGER NOT NULL,
    ended INTEGER,
    since REAL NOT NULL,
    due REAL,
    sent INTEGER NOT NULL DEFAULT 0,
    number INTEGER NOT NULL,
    interaction TEXT NOT NULL,
    plan TEXT,
    PRIMARY KEY (channel, id)
) WITHOUT ROWID;

CREATE INDEX wait_due ON wait (due) WHERE place = 0 AND due IS NOT NULL;

-- `remind`: the channel's reminders (JSON). `digest_due`: when the next digest comes. `armings`: how many waits were
-- armed so far. `nudge`: the nudge that is claimed and not yet sent (JSON). `prompt_round`: the round last prompted.
-- `prompt_lead`: the first lines of a prompt that is a nudge (JSON), so that an edit keeps them.
ALTER TABLE channel ADD COLUMN remind TEXT;
ALTER TABLE channel ADD COLUMN digest_due REAL;
ALTER TABLE channel ADD COLUMN digest_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN armings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN nudge TEXT;
ALTER TABLE channel ADD COLUMN prompt_lead TEXT;
ALTER TABLE channel ADD COLUMN prompt_round INTEGER NOT NULL DEFAULT 0;

CREATE INDEX channel_digest ON channel (digest_due) WHERE digest_due IS NOT NULL;
CREATE INDEX channel_nudge ON channel (channel) WHERE nudge IS NOT NULL;
