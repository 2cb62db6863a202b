-- The live message of a channel tells the log's rows from `prompt_first` to `prompt_told`, and is to tell those up to
-- `prompt_last`. `prompt_calls`: the last row
-- after which somebody else is waited for, which wants a new message; `prompt_called`: the one that the live message brought.
ALTER TABLE channel ADD COLUMN prompt_first INTEGER NOT NULL DEFAULT 1;
ALTER TABLE channel ADD COLUMN prompt_told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN prompt_last INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN prompt_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN prompt_called INTEGER NOT NULL DEFAULT 0;
UPDATE channel SET prompt_first = last_seq + 1, prompt_told = last_seq, prompt_last = last_seq,
    prompt_calls = prompt_wanted, prompt_called = prompt_posted;

DROP INDEX channel_unsent_prompt;
CREATE INDEX channel_unsent_prompt ON channel (channel)
    WHERE prompt_wanted <> prompt_posted OR prompt_last > prompt_told;

-- What live messages became: which rows each tells, so that an undone one is struck through where it stands.
CREATE TABLE record (
    channel TEXT NOT NULL,
    first INTEGER NOT NULL,
    told INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (channel, first)
) WITHOUT ROWID;
