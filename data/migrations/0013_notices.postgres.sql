-- Whoever changes a person's settings tells the other processes in the same transaction, whichever statement does it.
CREATE FUNCTION tell_person() RETURNS TRIGGER LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_notify(''person'', coalesce(NEW."user", OLD."user")); RETURN NULL; END';
CREATE OR REPLACE TRIGGER tell_person AFTER INSERT OR UPDATE OR DELETE ON person FOR EACH ROW EXECUTE FUNCTION tell_person();
