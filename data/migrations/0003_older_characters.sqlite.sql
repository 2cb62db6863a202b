-- Sheets are checked as they are saved; what was saved before may hold what would be refused now, and still joins.
UPDATE character SET document = json_set(document, '$.older', json('true'));
