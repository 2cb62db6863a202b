-- Up to which row of a channel's log somebody has looked (`/turn`, My turn).
CREATE TABLE look (
    channel TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (channel, user)
) WITHOUT ROWID;

CREATE INDEX look_user ON look (user);
