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
