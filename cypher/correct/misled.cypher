// name: correct/misled
// mode: write
// params: scope, scopes, id, misled, weight, reason, now
// returns: id
//
// Note that memories misled in the context of a recall, once each, and count anew.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
UNWIND $misled AS id
MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes
WITH r, id, m ORDER BY m.scope = $scope DESC
WITH r, id, head(collect(m)) AS m ORDER BY id
SET m.counted = true
MERGE (r)-[x:MISLED]->(m)
ON CREATE SET x.at = $now
SET x.weight = $weight, x.reason = $reason
WITH collect(DISTINCT m) AS counted
UNWIND counted AS m
SET m.misled = COUNT { (m)<-[:MISLED]-() }
REMOVE m.counted
RETURN m.id AS id
