-- Where a row is at home: its server's id without the last 22 bits, 0 for direct messages. `home % count` is its shard,
-- so that one of several processes sees the channels of its own shards alone.
ALTER TABLE channel ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
ALTER TABLE wait ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
ALTER TABLE encounter ADD COLUMN home BIGINT NOT NULL DEFAULT 0;
UPDATE channel SET home = CAST(guild AS BIGINT) >> 22 WHERE guild <> '';
UPDATE encounter SET home = CAST(guild AS BIGINT) >> 22 WHERE guild <> '';
UPDATE wait SET home = coalesce((SELECT home FROM channel WHERE channel.channel = wait.channel), 0);
UPDATE outbox SET home = coalesce((SELECT home FROM channel WHERE channel.channel = outbox.channel), 0);
