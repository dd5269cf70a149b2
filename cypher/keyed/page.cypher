// name: keyed/page
// mode: read
// params: scope, tag, now, skip, limit
// returns: node
//
// A page of the keyed values in use whose namespace has the prefix of a tag, the last put first. Only the newest version of
// each counts.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope = $scope AND m.id STARTS WITH 'keyed-' AND $tag IN m.tags AND m.status = 'active' AND m.expires_at > $now
  AND NOT EXISTS {
    MATCH (n:Memory) WHERE n.scope = $scope AND n.id STARTS WITH left(m.id, size(m.id) - 8) AND n.id > m.id
  }
WITH m ORDER BY m.happened_at DESC, m.id SKIP $skip LIMIT $limit
RETURN m {.*, embedding: null, text: null} AS node
ORDER BY node.happened_at DESC, node.id
