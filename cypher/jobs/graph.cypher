// name: jobs/graph
// mode: read
// params: scopes, now
// returns: scope, id, neighbours
//
// The recallable memories of a scope, each with those it is linked to; a pair is told once, by its first. Links of other
// scopes, revoked corrections and links of a memory to itself do not count.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.recallable AND m.expires_at > $now
RETURN m.scope AS scope, m.id AS id, COLLECT {
  MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
  WHERE n.scope IN $scopes AND n.recallable AND n.expires_at > $now
    AND (m.scope < n.scope OR m.scope = n.scope AND m.id < n.id)
    AND coalesce(e.scope, n.scope) IN $scopes AND e.revoked_at IS NULL
  RETURN DISTINCT [n.scope, n.id] AS pair ORDER BY pair
} AS neighbours
ORDER BY scope, id
