// name: correct/misled
// mode: write
// params: scope, scopes, id, misled, weight, reason, question, now
// returns: id
//
// Note which memories misled in the context of a recall, once each, no others, and count anew. Where one did, the question
// is kept, so that the context is recognised by another embedding model too.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
SET r.question = CASE WHEN size($misled) > 0 THEN coalesce($question, r.question) END
WITH r
CALL (r) {
  MATCH (r)-[x:MISLED]->(m:Memory)
  WHERE NOT m.id IN $misled
  DELETE x
  RETURN collect(m) AS dropped
}
CALL (r) {
  UNWIND $misled AS id
  MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes
  WITH r, id, m ORDER BY EXISTS { (r)-[:RETURNED]->(m) } DESC, m.scope = $scope DESC
  WITH r, id, head(collect(m)) AS m ORDER BY id
  MERGE (r)-[x:MISLED]->(m)
  ON CREATE SET x.at = $now
  SET x.weight = $weight, x.reason = $reason
  RETURN collect(m) AS blamed
}
UNWIND dropped + blamed AS m
WITH DISTINCT m ORDER BY m.id
SET m.counted = true
WITH collect(m) AS counted
UNWIND counted AS m
SET m.misled = COUNT { (m)<-[:MISLED]-() }
REMOVE m.counted
RETURN m.id AS id
