// name: move/lessons
// mode: read
// params: scope, after, now, most
// returns: node, lessons
//
// The next episodes of a scope that are in use or of unknown outcome, in the order of their ids, each with the lessons
// that came of it; nothing secure.
CYPHER 25
MATCH (e:Memory)
USING INDEX e:Memory(scope, id)
WHERE e.scope = $scope AND e.id > $after AND e.kind = 'episode' AND e.expires_at > $now AND NOT e.secure
  AND e.status IN ['active', 'audit']
WITH e ORDER BY e.id LIMIT $most
RETURN e {.*, embedding: null, text: null} AS node, COLLECT {
    MATCH (e)-[:DERIVES]->(r:Memory {scope: $scope})
    WHERE r.expires_at > $now AND NOT r.secure AND r.status IN ['active', 'candidate']
    RETURN r.insight ORDER BY r.id
  } AS lessons
ORDER BY node.id
