-- When somebody's own digest is due (`/remind me digest`); what it is and what it told of are among their settings.
ALTER TABLE person ADD COLUMN digest_due REAL;

CREATE INDEX person_digest ON person (digest_due) WHERE digest_due IS NOT NULL;
