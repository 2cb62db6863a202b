-- What SQLite has of its own: where one text, or one document, stands in another; 0 where it does not.
CREATE FUNCTION instr(BYTEA, BYTEA) RETURNS INT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT position($2 IN $1)';
CREATE FUNCTION instr(TEXT, TEXT) RETURNS INT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT position($2 IN $1)';

-- Several processes: the fence changes at a takeover only, the lease is renewed all the time.
CREATE TABLE shard (number BIGINT PRIMARY KEY, epoch BIGINT NOT NULL DEFAULT 0);
CREATE TABLE lease (shard BIGINT PRIMARY KEY, owner TEXT, until TIMESTAMPTZ);
CREATE TABLE process (
    owner TEXT PRIMARY KEY, name TEXT, version TEXT, until TIMESTAMPTZ NOT NULL,
    since TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);

-- Whose turn it is to IDENTIFY, and events that reached another process than theirs.
CREATE TABLE identify (bucket BIGINT PRIMARY KEY, free_at TIMESTAMPTZ NOT NULL);
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY, shard BIGINT NOT NULL, kind TEXT NOT NULL, event TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);

-- Whoever changes a person's settings tells the other processes in the same transaction, whichever statement does it.
CREATE FUNCTION tell_person() RETURNS TRIGGER LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_notify(''person'', coalesce(NEW."user", OLD."user")); RETURN NULL; END';
CREATE OR REPLACE TRIGGER tell_person AFTER INSERT OR UPDATE OR DELETE ON person FOR EACH ROW EXECUTE FUNCTION tell_person();
