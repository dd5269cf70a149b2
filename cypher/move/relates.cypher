// name: move/relates
// mode: write
// params: scopes, rows
// returns: created
//
// Relate memories, once per kind and for the scope that says so.
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {scope: row.start_scope, id: row.start}) WHERE a.scope IN $scopes
MATCH (b:Memory {scope: row.end_scope, id: row.end}) WHERE b.scope IN $scopes
MERGE (a)-[e:RELATES {kind: row.relation, scope: row.scope}]->(b)
ON CREATE SET e += row.properties, e.write_id = row.write_id
FOREACH (m IN CASE WHEN row.relation = 'duplicate' THEN [a, b] ELSE [] END | SET m.twinned = true)
WITH e, coalesce(e.write_id = row.write_id, false) AS created
REMOVE e.write_id
RETURN sum(CASE WHEN created THEN 1 ELSE 0 END) AS created
