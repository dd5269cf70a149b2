// name: move/memories
// mode: read
// params: scope, kind, after, now, secure, most
// returns: node
//
// The next memories of a scope and kind in the order of their ids, vectors included; secure ones only if asked for.
CYPHER 25
MATCH (m:Memory)
USING INDEX m:Memory(scope, id)
WHERE m.scope = $scope AND m.id > $after AND m.kind = $kind AND m.expires_at > $now AND ($secure OR NOT m.secure)
WITH m ORDER BY m.id LIMIT $most
RETURN m {.*, text: null} AS node
ORDER BY node.id
