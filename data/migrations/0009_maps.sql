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
