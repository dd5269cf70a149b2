// name: correct/used
// mode: write
// params: scope, scopes, id, used
// returns: id
//
// Mark which memories the attempt used, and count their track records anew.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
CALL (r) {
  MATCH (r)-[e:RETURNED {used: true}]->(m:Memory)
  WHERE NOT m.id IN $used
  SET e.used = false
  RETURN collect(m) AS dropped
}
CALL (r) {
  UNWIND $used AS id
  MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes
  WITH r, id, m ORDER BY EXISTS { (r)-[:RETURNED]->(m) } DESC, m.scope = $scope DESC
  WITH r, id, head(collect(m)) AS m
  MERGE (r)-[e:RETURNED]->(m)
  SET e.used = true
  RETURN collect(m) AS used
}
CALL (r) {
  MATCH (r)-[:RETURNED {used: true}]->(m:Memory)
  RETURN collect(m) AS kept
}
UNWIND dropped + used + kept AS m
WITH DISTINCT m ORDER BY m.id
SET m.counted = true
WITH collect(m) AS counted
UNWIND counted AS m
SET m.successes = COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'success', tenant: m.tenant}) WHERE m.user IN ['', by.user] },
    m.failures = COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'fail', tenant: m.tenant}) WHERE m.user IN ['', by.user] }
REMOVE m.counted
RETURN m.id AS id
