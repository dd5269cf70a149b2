// name: keyed/found
// mode: read
// params: scope, ids, tag, now
// returns: node
//
// Those of the ids that are keyed values in use, of a namespace with the prefix of a tag, and the newest version.
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {scope: $scope, id: id})
WHERE m.id STARTS WITH 'keyed-' AND $tag IN m.tags AND m.status = 'active' AND m.expires_at > $now
  AND NOT EXISTS {
    MATCH (n:Memory) WHERE n.scope = $scope AND n.id STARTS WITH left(m.id, size(m.id) - 8) AND n.id > m.id
  }
RETURN m {.*, embedding: null, text: null} AS node
