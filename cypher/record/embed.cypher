// name: record/embed
// mode: write
// params: rows, scopes, embedding_model, now
// returns: embedded
//
// Give memories their vectors, unless their text has changed meanwhile, or the database was moved to another model. A lesson that was grouped alone is grouped anew.
CYPHER 25
MATCH (s:Store {id: 'graphmem', embedding_model: $embedding_model})
UNWIND $rows AS row
MATCH (m:Memory {scope: row.scope, id: row.id})
WHERE m.scope IN $scopes AND m.text = row.text
SET m.embedding = row.vector, m.embedding_model = $embedding_model, m.embedded = row.embedded, m.updated_at = $now
FOREACH (_ IN CASE WHEN m.kind = 'reflection' AND m.group = m.id THEN [1] ELSE [] END |
  SET m.awaits = 'grouping' REMOVE m.group)
RETURN count(m) AS embedded
