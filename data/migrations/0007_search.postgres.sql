-- What SQLite has of its own: where one text, or one document, stands in another; 0 where it does not.
CREATE FUNCTION instr(BYTEA, BYTEA) RETURNS INT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT position($2 IN $1)';
CREATE FUNCTION instr(TEXT, TEXT) RETURNS INT LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT position($2 IN $1)';
