-- Several processes: who has come lately, whose turn it is to IDENTIFY, and events that reached another process than theirs.
ALTER TABLE process ADD COLUMN since TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp();
CREATE TABLE identify (bucket BIGINT PRIMARY KEY, free_at TIMESTAMPTZ NOT NULL);
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY, shard BIGINT NOT NULL, kind TEXT NOT NULL, event TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
