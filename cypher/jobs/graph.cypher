// name: jobs/graph
// mode: read
// params: scope, scopes, after, now, weights, most
// returns: id, central, neighbours
//
// The next recallable memories of a scope in the order of their ids, whether each has a centrality, and those it is linked
// to; a pair is told once, by its first, with the greatest weight of the kinds that link it. Links of other scopes,
// revoked corrections, kinds of no weight and links of a memory to itself do not count.
CYPHER 25
MATCH (m:Memory)
USING INDEX m:Memory(scope, id)
WHERE m.scope = $scope AND m.scope IN $scopes AND m.id > $after AND m.recallable AND m.expires_at > $now
WITH m ORDER BY m.id LIMIT $most
RETURN m.id AS id, m.centrality_at IS NOT NULL AS central, COLLECT {
  MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
  WHERE n.scope IN $scopes AND n.recallable AND n.expires_at > $now
    AND (m.scope < n.scope OR m.scope = n.scope AND m.id < n.id)
    AND coalesce(e.scope, n.scope) IN $scopes AND e.revoked_at IS NULL AND $weights[type(e)] > 0
  WITH n, max($weights[type(e)]) AS weight ORDER BY n.scope, n.id
  RETURN [n.scope, n.id, weight]
} AS neighbours
ORDER BY id
