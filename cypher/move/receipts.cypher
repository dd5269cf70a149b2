// name: move/receipts
// mode: read
// params: scope, after, now, secure, most
// returns: node
//
// The next receipts of a scope in the order of their ids, with the vectors of what was asked. One that stands for the
// context of a correction stays with it, however old. One that is about a secure memory leaves as that does.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, id)
WHERE r.scope = $scope AND r.id > $after AND (r.expires_at > $now OR r.decision = 'corrected')
  AND ($secure OR NOT EXISTS { (r)-[:RETURNED|MISLED]->(m:Memory) WHERE m.secure }
    AND NOT EXISTS { (r)-[:MISLED]->(:Memory)<-[c:CORRECTS]-(m:Memory) WHERE m.secure AND r.id IN c.receipts })
WITH r ORDER BY r.id LIMIT $most
RETURN r {.*} AS node
ORDER BY node.id
