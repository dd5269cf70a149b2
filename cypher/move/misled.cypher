// name: move/misled
// mode: write
// params: scopes, rows
// returns: created
//
// Store which memories arriving receipts say misled, once each, and count anew. The statement before this one holds the memories.
CYPHER 25
UNWIND $rows AS row
MATCH (r:Recall {scope: row.start_scope, id: row.start}) WHERE r.arriving
MATCH (m:Memory {scope: row.end_scope, id: row.end}) WHERE m.scope IN $scopes
MERGE (r)-[e:MISLED]->(m)
ON CREATE SET e += row.properties, e.write_id = row.write_id
WITH m, e, coalesce(e.write_id = row.write_id, false) AS created
REMOVE e.write_id
WITH m, sum(CASE WHEN created THEN 1 ELSE 0 END) AS created
WITH collect(m) AS memories, sum(created) AS created
CALL (memories) {
  UNWIND memories AS m
  SET m.misled = COUNT { (m)<-[:MISLED]-() }
  RETURN count(*) AS counted
}
RETURN created
