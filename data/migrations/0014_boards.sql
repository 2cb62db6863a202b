-- The map from which an encounter's board differs by what its document says; None where the document holds the board.
ALTER TABLE encounter ADD COLUMN map TEXT;

CREATE INDEX encounter_map ON encounter (map);
