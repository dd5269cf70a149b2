// name: move/uses
// mode: read
// params: scope, scopes, after, now, secure, most
// returns: start, links, outside
//
// The next receipts of a scope in the order of their ids, each with what it says of memories of these scopes that leave as
// well, and of how many others it says something.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, id)
WHERE r.scope = $scope AND r.id > $after AND (r.expires_at > $now OR r.decision = 'corrected')
  AND ($secure OR NOT EXISTS { (r)-[:RETURNED|MISLED]->(m:Memory) WHERE m.secure }
    AND NOT EXISTS { (r)-[:MISLED]->(:Memory)<-[c:CORRECTS]-(m:Memory) WHERE m.secure AND r.id IN c.receipts })
WITH r ORDER BY r.id LIMIT $most
RETURN r.id AS start, COLLECT {
    MATCH (r)-[e:RETURNED|MISLED]->(m:Memory)
    WHERE m.scope IN $scopes AND m.expires_at > $now AND ($secure OR NOT m.secure)
    RETURN {type: type(e), end: m.id, end_scope: m.scope, properties: e {.*}} AS link
    ORDER BY type(e), m.scope, m.id
  } AS links,
  COUNT { MATCH (r)-[:RETURNED|MISLED]->(m:Memory) WHERE NOT m.scope IN $scopes AND m.expires_at > $now } AS outside
ORDER BY start
