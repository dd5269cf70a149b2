// name: move/memory
// mode: write
// params: rows
// returns: position, embedded, result
//
// Store memories that come from elsewhere, each once: one that is there already is left as it is and compared. Until all
// that came with them is there they are marked as arriving. A vector of another model than the store's is left out.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
UNWIND $rows AS row
MERGE (m:Memory {scope: row.scope, id: row.id})
ON CREATE SET m += row.properties, m.arriving = true
WITH kept, m, row, m.write_id = row.properties.write_id AS created
FOREACH (_ IN CASE WHEN created AND m.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
  REMOVE m.embedding, m.embedding_model, m.embedded)
FOREACH (_ IN CASE WHEN created AND row.properties.kind = 'episode' THEN [1] ELSE [] END | SET m:Episode)
FOREACH (_ IN CASE WHEN created AND row.properties.kind = 'reflection' THEN [1] ELSE [] END | SET m:Reflection)
FOREACH (_ IN CASE WHEN created AND row.properties.kind = 'skill' THEN [1] ELSE [] END | SET m:Skill)
RETURN
  row.position AS position, m.embedding IS NOT NULL AS embedded,
  CASE WHEN created THEN 'created' WHEN row.properties.content_hash IN [m.content_hash, m.open_hash] THEN 'unchanged' ELSE 'conflict' END AS result
