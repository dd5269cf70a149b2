// name: record/episodes
// mode: write
// params: rows
// returns: position, result, status
//
// Store episodes, each once: one that is there already is left as it is and compared.
CYPHER 25
UNWIND $rows AS row
MERGE (m:Memory {scope: row.scope, id: row.id})
ON CREATE SET m:Episode, m += row.properties
RETURN
  row.position AS position,
  CASE
    WHEN m.write_id = row.properties.write_id THEN 'created'
    WHEN m.content_hash = row.properties.content_hash THEN 'unchanged'
    ELSE 'conflict'
  END AS result,
  m.status AS status
