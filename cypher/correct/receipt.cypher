// name: correct/receipt
// mode: write
// params: receipt, rows
// returns: id
//
// Write the receipt of a recall and what it returned, once; a vector that it lacked is added.
CYPHER 25
MERGE (r:Recall {scope: $receipt.scope, id: $receipt.id})
ON CREATE SET r += $receipt
ON MATCH SET r.vector = coalesce(r.vector, $receipt.vector)
WITH r
CALL (r) {
  UNWIND $rows AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})
  MERGE (r)-[e:RETURNED]->(m)
  ON CREATE SET e += row.edge
  RETURN count(e) AS returned
}
RETURN r.id AS id
