// name: erase/named
// mode: read
// params: rows, traces
// returns: id
//
// The memories that are told of by receipts which go with these memories: their track records are counted anew.
CYPHER 25
CALL () {
  UNWIND $rows AS row
  MATCH (:Memory {scope: row.scope, id: row.id})<-[:RETURNED|MISLED]-(r:Recall)
  RETURN r
  UNION
  UNWIND $traces AS row
  MATCH (r:Recall {scope: row.scope, trace_id: row.trace})
  RETURN r
}
MATCH (r)-[:RETURNED|MISLED]->(n:Memory)
RETURN DISTINCT n.id AS id
