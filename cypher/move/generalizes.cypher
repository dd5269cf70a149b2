// name: move/generalizes
// mode: write
// params: scopes, rows
// returns: created
//
// Link memories to what generalizes them, once each.
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {scope: row.start_scope, id: row.start}) WHERE a.scope IN $scopes
MATCH (b:Memory {scope: row.end_scope, id: row.end}) WHERE b.scope IN $scopes
MERGE (a)-[e:GENERALIZES]->(b)
ON CREATE SET e += row.properties, e.write_id = row.write_id
WITH e, coalesce(e.write_id = row.write_id, false) AS created
REMOVE e.write_id
RETURN sum(CASE WHEN created THEN 1 ELSE 0 END) AS created
