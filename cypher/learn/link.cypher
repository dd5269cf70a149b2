// name: learn/link
// mode: write
// params: scopes, start, end, kind, weight, by, now
// returns: kind, weight
//
// Relate two memories, once per kind and for the scope that says so; the weight is the latest.
CYPHER 25
MATCH (a:Memory {id: $start}) WHERE a.scope IN $scopes
WITH a ORDER BY a.scope = $scopes[0] DESC LIMIT 1
MATCH (b:Memory {id: $end}) WHERE b.scope IN $scopes
WITH a, b ORDER BY b.scope = $scopes[0] DESC LIMIT 1
MERGE (a)-[r:RELATES {kind: $kind, scope: $scopes[0]}]->(b)
ON CREATE SET r.at = $now, r.by = $by
SET r.weight = $weight
FOREACH (m IN CASE WHEN $kind = 'duplicate' THEN [a, b] ELSE [] END | SET m.twinned = true)
RETURN r.kind AS kind, r.weight AS weight
