-- The first schema. Long texts (answers, events, dice, lines, payloads) may stand compressed: a blob instead of a text.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Rowids ascend with time, so that what is older than a day is found without an index of its own.
CREATE TABLE interaction (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    answer TEXT NOT NULL,
    at REAL NOT NULL
);

-- One small row a channel, changed by every step. No undo reaches a seq at or below `barrier`.
CREATE TABLE channel (
    channel TEXT NOT NULL PRIMARY KEY,
    guild TEXT NOT NULL DEFAULT '',
    focus TEXT,
    last_seq INTEGER NOT NULL DEFAULT 0,
    barrier INTEGER NOT NULL DEFAULT 0,
    prompt_wanted INTEGER NOT NULL DEFAULT 0,
    prompt_posted INTEGER NOT NULL DEFAULT 0,
    prompt_message TEXT
) WITHOUT ROWID;

CREATE INDEX channel_unsent_prompt ON channel (channel) WHERE prompt_wanted <> prompt_posted;

-- Apart from `channel`: an update rewrites a whole row, and a deck can be long.
CREATE TABLE cards (
    channel TEXT NOT NULL UNIQUE,
    document BLOB NOT NULL
);

-- `document` stands last: lists that do not read it never touch its pages.
CREATE TABLE encounter (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    guild TEXT NOT NULL,
    system TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    gms TEXT NOT NULL,
    waiting TEXT NOT NULL,
    changed_at REAL NOT NULL,
    document BLOB NOT NULL
);

CREATE INDEX encounter_channel ON encounter (channel, status);
CREATE INDEX encounter_guild ON encounter (guild, status);
CREATE INDEX encounter_ended ON encounter (changed_at) WHERE status = 'ended';

-- Whom an encounter waits for, the GMs by their own ids.
CREATE TABLE encounter_waiting (
    user TEXT NOT NULL,
    encounter TEXT NOT NULL REFERENCES encounter (id) ON DELETE CASCADE,
    PRIMARY KEY (user, encounter)
) WITHOUT ROWID;

CREATE INDEX encounter_waiting_encounter ON encounter_waiting (encounter);

-- `state`: 0 live, 1 undone, 2 undone for good. `events` is NULL where the row was purged.
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    seq INTEGER NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    by TEXT,
    interaction TEXT NOT NULL,
    encounter TEXT,
    focus_before TEXT,
    secret INTEGER NOT NULL,
    ruling INTEGER NOT NULL,
    command TEXT NOT NULL,
    dice TEXT NOT NULL,
    lines TEXT NOT NULL,
    events TEXT
);

CREATE UNIQUE INDEX log_seq ON log (channel, seq);
CREATE INDEX log_live_step ON log (channel, seq) WHERE kind = 'step' AND state = 0;
CREATE INDEX log_undone ON log (channel, seq) WHERE state = 1;
CREATE INDEX log_encounter ON log (encounter, channel, seq) WHERE encounter IS NOT NULL;

-- What leads from a document after a step to the one before it.
CREATE TABLE undo (
    log INTEGER NOT NULL REFERENCES log (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    delta BLOB NOT NULL,
    PRIMARY KEY (log, key)
) WITHOUT ROWID;

CREATE TABLE seed (
    channel TEXT NOT NULL,
    from_seq INTEGER NOT NULL,
    seed BLOB NOT NULL,
    revealed INTEGER NOT NULL,
    announced INTEGER NOT NULL,
    PRIMARY KEY (channel, from_seq)
) WITHOUT ROWID;

CREATE INDEX seed_seed ON seed (seed);

-- Messages that are still to be sent; a sent one leaves.
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY,
    nonce TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    payload TEXT NOT NULL
);

CREATE INDEX outbox_channel ON outbox (channel);

-- `folded`: the name without regard to case.
CREATE TABLE character (
    number INTEGER PRIMARY KEY,
    guild TEXT NOT NULL,
    owner TEXT NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL
);

CREATE UNIQUE INDEX character_name ON character (guild, owner, folded);
CREATE INDEX character_owner ON character (owner);

CREATE TABLE macro (
    user TEXT NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    dice TEXT NOT NULL,
    PRIMARY KEY (user, folded)
) WITHOUT ROWID;

CREATE TABLE person (
    user TEXT NOT NULL PRIMARY KEY,
    settings TEXT NOT NULL
) WITHOUT ROWID;
