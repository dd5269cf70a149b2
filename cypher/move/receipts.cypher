// name: move/receipts
// mode: read
// params: scope, after, now, most
// returns: node
//
// The next receipts of a scope in the order of their ids, with the vectors of what was asked. One that stands for the
// context of a correction stays with it, however old.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, id)
WHERE r.scope = $scope AND r.id > $after AND (r.expires_at > $now OR r.decision = 'corrected')
WITH r ORDER BY r.id LIMIT $most
RETURN r {.*} AS node
ORDER BY node.id
