// name: move/links
// mode: read
// params: scope, scopes, after, now, secure, most
// returns: start, links, outside
//
// The next memories of a scope in the order of their ids, each with the links that lead from it to a memory of these scopes
// that leaves as well, and how many lead elsewhere. A link that belongs to a scope is told only with that scope.
CYPHER 25
MATCH (a:Memory)
USING INDEX a:Memory(scope, id)
WHERE a.scope = $scope AND a.id > $after AND a.expires_at > $now AND ($secure OR NOT a.secure)
WITH a ORDER BY a.id LIMIT $most
RETURN a.id AS start, COLLECT {
    MATCH (a)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]->(b:Memory)
    WHERE b.scope IN $scopes AND b.expires_at > $now AND ($secure OR NOT b.secure) AND coalesce(e.scope, b.scope) IN $scopes
    RETURN {type: type(e), end: b.id, end_scope: b.scope, properties: e {.*}} AS link
    ORDER BY type(e), b.scope, b.id, e.kind, e.scope
  } AS links,
  COUNT {
    MATCH (a)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]->(b:Memory)
    WHERE NOT (b.scope IN $scopes AND coalesce(e.scope, b.scope) IN $scopes) AND b.expires_at > $now
  } AS outside
ORDER BY start
