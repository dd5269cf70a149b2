// name: erase/all_receipts
// mode: write
// params: scopes, most
// returns: what, erased
//
// Erase receipts of these scopes, at most so many, and count anew what they said of memories that stay. They are locked
// before it is looked at whom they name, since a feedback may be adding to one of them.
CYPHER 25
MATCH (r:Recall) WHERE r.scope IN $scopes AND r.id IS NOT NULL
WITH r LIMIT $most
SET r.erased = true
WITH collect(r) AS receipts
CALL (receipts) {
  UNWIND receipts AS r
  MATCH (r)-[:RETURNED|MISLED]->(m:Memory) WHERE NOT m.scope IN $scopes
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
  RETURN count(*) AS counted
}
RETURN 'receipts' AS what, erased
