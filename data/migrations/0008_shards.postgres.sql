-- Who serves what, where several processes may: the fence changes at a takeover only, the lease is renewed all the time.
CREATE TABLE shard (number BIGINT PRIMARY KEY, epoch BIGINT NOT NULL DEFAULT 0);
CREATE TABLE lease (shard BIGINT PRIMARY KEY, owner TEXT, until TIMESTAMPTZ);
CREATE TABLE process (owner TEXT PRIMARY KEY, name TEXT, version TEXT, until TIMESTAMPTZ NOT NULL);
