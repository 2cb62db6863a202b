-- The schema. Long texts (answers, dice, lines, payloads) may stand compressed: a blob instead of a text.

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
-- `home` is where a row is at home, here and in other tables: its server's id without the last 22 bits, 0 for direct
-- messages. `home % count` is its shard, so that one of several processes sees the channels of its own shards alone.
-- The live message tells the log's rows from `prompt_first` to `prompt_told`, and is to tell those up to `prompt_last`.
-- `prompt_calls`: the last row after which somebody else is waited for, which wants a new message; `prompt_called`: the
-- one that the live message brought. `prompt_round`: the round last prompted. `prompt_lead`: the first lines of a prompt
-- that is a nudge (JSON), so that an edit keeps them. `remind`: the channel's reminders (JSON). `digest_due`: when the
-- next digest comes. `armings`: how many waits were armed so far. `nudge`: the nudge that is claimed and not yet sent.
CREATE TABLE channel (
    channel TEXT NOT NULL PRIMARY KEY,
    guild TEXT NOT NULL DEFAULT '',
    home BIGINT NOT NULL DEFAULT 0,
    focus TEXT,
    last_seq INTEGER NOT NULL DEFAULT 0,
    barrier INTEGER NOT NULL DEFAULT 0,
    prompt_wanted INTEGER NOT NULL DEFAULT 0,
    prompt_posted INTEGER NOT NULL DEFAULT 0,
    prompt_message TEXT,
    prompt_first INTEGER NOT NULL DEFAULT 1,
    prompt_told INTEGER NOT NULL DEFAULT 0,
    prompt_last INTEGER NOT NULL DEFAULT 0,
    prompt_calls INTEGER NOT NULL DEFAULT 0,
    prompt_called INTEGER NOT NULL DEFAULT 0,
    prompt_lead TEXT,
    prompt_round INTEGER NOT NULL DEFAULT 0,
    remind TEXT,
    digest_due REAL,
    digest_seq INTEGER NOT NULL DEFAULT 0,
    armings INTEGER NOT NULL DEFAULT 0,
    nudge TEXT
) WITHOUT ROWID;

CREATE INDEX channel_unsent_prompt ON channel (channel)
    WHERE prompt_wanted <> prompt_posted OR prompt_last > prompt_told;
CREATE INDEX channel_digest ON channel (digest_due) WHERE digest_due IS NOT NULL;
CREATE INDEX channel_nudge ON channel (channel) WHERE nudge IS NOT NULL;

-- Whom a channel waits for, since when, and what comes next: nudges, deadlines, silent passes, windows that close.
-- `id` counts every arming in a channel. A wait lives from the log row `armed` to the log row `ended`; `place` is
-- 0 while it is open, 1 if it is past, 2 if it lies in the undone future, so that undo and redo find it again.
CREATE TABLE wait (
    channel TEXT NOT NULL,
    id INTEGER NOT NULL,
    home BIGINT NOT NULL DEFAULT 0,
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

-- What live messages became: which rows each tells, so that an undone one is struck through where it stands. `owed`: how
-- often such rows were undone, or done again, since the message was last edited: it is owed an edit then.
CREATE TABLE record (
    channel TEXT NOT NULL,
    first INTEGER NOT NULL,
    told INTEGER NOT NULL,
    message TEXT NOT NULL,
    owed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (channel, first)
) WITHOUT ROWID;

CREATE INDEX record_owed ON record (channel) WHERE owed <> 0;

-- Up to which row of a channel's log somebody has looked (`/turn`, My turn).
CREATE TABLE look (
    channel TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (channel, user)
) WITHOUT ROWID;

CREATE INDEX look_user ON look (user);

-- Apart from `channel`: an update rewrites a whole row, and a deck can be long.
CREATE TABLE cards (
    channel TEXT NOT NULL UNIQUE,
    document BLOB NOT NULL
);

-- `map`: the map from which the board differs by what the document says; NULL if the document holds the board.
-- `document` stands last: lists that do not read it never touch its pages.
CREATE TABLE encounter (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    guild TEXT NOT NULL,
    home BIGINT NOT NULL DEFAULT 0,
    map TEXT,
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
CREATE INDEX encounter_map ON encounter (map);

-- Whom an encounter waits for, the GMs by their own ids.
CREATE TABLE encounter_waiting (
    user TEXT NOT NULL,
    encounter TEXT NOT NULL REFERENCES encounter (id) ON DELETE CASCADE,
    PRIMARY KEY (user, encounter)
) WITHOUT ROWID;

CREATE INDEX encounter_waiting_encounter ON encounter_waiting (encounter);

-- `state`: 0 live, 1 undone, 2 undone for good. `marks`: what readers of the row need to know of the step (JSON).
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
    marks TEXT NOT NULL
);

CREATE UNIQUE INDEX log_seq ON log (channel, seq);
CREATE INDEX log_live_step ON log (channel, seq) WHERE kind = 'step' AND state = 0;
CREATE INDEX log_undone ON log (channel, seq) WHERE state = 1;
CREATE INDEX log_encounter ON log (encounter, channel, seq) WHERE encounter IS NOT NULL;

-- What leads from a document after a step to the one before it, and from that one to the one after it again.
CREATE TABLE undo (
    log INTEGER NOT NULL REFERENCES log (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    back BLOB NOT NULL,
    forth BLOB NOT NULL,
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
    home BIGINT NOT NULL DEFAULT 0,
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

-- A map is kept once, under the SHA-256 of its document. A shelf is a person's ('user ID') or a server's ('server ID');
-- `folded`: the name without regard to case, empty for what somebody typed last and has not taken yet.
CREATE TABLE map (
    digest TEXT NOT NULL PRIMARY KEY,
    document TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE saved_map (
    shelf TEXT NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES map (digest),
    PRIMARY KEY (shelf, folded)
) WITHOUT ROWID;

CREATE INDEX saved_map_owner ON saved_map (owner);
CREATE INDEX saved_map_digest ON saved_map (digest);

-- Kits of a server: `file` is the text as it was given (TOML or JSON), `id` what an encounter is started by.
CREATE TABLE kit (
    guild TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    file TEXT NOT NULL,
    saved_at REAL NOT NULL,
    PRIMARY KEY (guild, id)
) WITHOUT ROWID;

CREATE INDEX kit_owner ON kit (owner);
