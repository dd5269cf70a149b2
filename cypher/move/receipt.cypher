// name: move/receipt
// mode: write
// params: rows, model
// returns: created
//
// Store receipts that come from elsewhere, each once. Until all that they say of memories is there they are marked as
// arriving. The vectors are of that model; where the store has moved to another, they are left out.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem', embedding_model: $model})
UNWIND $rows AS row
MERGE (r:Recall {scope: row.scope, id: row.id})
ON CREATE SET r += row.properties, r.vector = CASE WHEN kept IS NULL THEN null ELSE row.properties.vector END, r.arriving = true, r.write_id = row.write_id
WITH r, coalesce(r.write_id = row.write_id, false) AS created
REMOVE r.write_id
RETURN sum(CASE WHEN created THEN 1 ELSE 0 END) AS created
