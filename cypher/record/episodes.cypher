// name: record/episodes
// mode: write
// params: rows, usual
// returns: position, result, status
//
// Store episodes, each once: one that is there already is left as it is and compared, also with what it was while nobody
// knew how it ended. A vector of a model that the database was moved away from is not stored.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
UNWIND $rows AS row
MERGE (m:Memory {scope: row.scope, id: row.id})
ON CREATE SET m:Episode, m += $usual, m += row.properties
FOREACH (_ IN CASE WHEN m.write_id = row.properties.write_id AND m.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
  REMOVE m.embedding, m.embedding_model, m.embedded)
RETURN
  row.position AS position,
  CASE
    WHEN m.write_id = row.properties.write_id THEN 'created'
    WHEN row.properties.content_hash IN [m.content_hash, m.open_hash] THEN 'unchanged'
    ELSE 'conflict'
  END AS result,
  m.status AS status
