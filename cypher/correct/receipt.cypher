// name: correct/receipt
// mode: write
// params: receipt, rows
// returns: id
//
// Write the receipt of a recall and what it returned, once; a vector that it lacked is added, one of an embedding model that
// the database was moved away from is not.
CYPHER 25
OPTIONAL MATCH (s:Store {id: 'graphmem', embedding_model: $receipt.embedding_model})
WITH $receipt AS receipt, CASE WHEN s IS NULL THEN null ELSE $receipt.vector END AS vector
MERGE (r:Recall {scope: $receipt.scope, id: $receipt.id})
ON CREATE SET r += receipt {.*, vector: vector}
ON MATCH SET r.embedding_model = CASE WHEN r.vector IS NULL THEN receipt.embedding_model ELSE r.embedding_model END,
    r.vector = coalesce(r.vector, vector)
WITH r
CALL (r) {
  UNWIND $rows AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})
  MERGE (r)-[e:RETURNED]->(m)
  ON CREATE SET e += row.edge
  RETURN count(e) AS returned
}
RETURN r.id AS id
