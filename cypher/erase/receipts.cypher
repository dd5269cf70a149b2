// name: erase/receipts
// mode: write
// params: scope, worker, rows, keys, traces
// returns: erased, skills
//
// Erase the receipts that returned these memories, that these misled, or that have a trace of theirs, and count anew what
// they said of memories that stay; how well a skill among those is proven, nobody has counted now. Nothing is done unless
// this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
CALL () {
  UNWIND $rows AS row
  MATCH (:Memory {scope: row.scope, id: row.id})<-[:RETURNED|MISLED]-(r:Recall)
  RETURN r
  UNION
  UNWIND $traces AS row
  MATCH (r:Recall {scope: row.scope, trace_id: row.trace})
  RETURN r
}
WITH r ORDER BY r.scope, r.id
SET r.erased = true
WITH collect(r) AS receipts
CALL (receipts) {
  UNWIND receipts AS r
  MATCH (r)-[:RETURNED|MISLED]->(m:Memory) WHERE NOT m.scope + ' ' + m.id IN $keys
  WITH DISTINCT m ORDER BY m.id, m.scope
  SET m.counted = true
  RETURN collect(m) AS stay
}
FOREACH (r IN receipts | DETACH DELETE r)
WITH size(receipts) AS erased, stay
CALL (stay) {
  UNWIND stay AS m
  SET m.successes = COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'success', tenant: m.tenant}) WHERE m.user IN ['', by.user] },
      m.failures = COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'fail', tenant: m.tenant}) WHERE m.user IN ['', by.user] },
      m.misled = COUNT { (m)<-[:MISLED]-() }
  REMOVE m.counted
  FOREACH (_ IN CASE m.kind WHEN 'skill' THEN [1] ELSE [] END | REMOVE m.support, m.success_rate, m.success_low)
  RETURN count(*) AS counted
}
RETURN erased, [m IN stay WHERE m.kind = 'skill' AND m.status IN ['active', 'candidate'] | [m.scope, m.id]] AS skills
