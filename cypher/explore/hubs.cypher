// name: explore/hubs
// mode: read
// params: scopes
// returns: hub, edge, neighbour
//
// The ten memories through which most of the graph hangs together, with some of what they are linked to, as a graph.
// Ordered by the centrality that `graphmem jobs centrality` wrote last; before it ran, by the number of links.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.recallable AND m.expires_at > datetime()
WITH m ORDER BY coalesce(m.centrality, -1.0) DESC, COUNT {
  (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
  WHERE n.scope IN $scopes AND n.recallable AND n.expires_at > datetime() AND coalesce(e.scope, n.scope) IN $scopes
    AND e.revoked_at IS NULL
} DESC, m.id LIMIT 10
WITH collect(m) AS hubs
UNWIND range(0, size(hubs) - 1) AS place
WITH hubs[place] AS m, hubs[..place] AS told
CALL (m, told) {
  OPTIONAL MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
  WHERE n.scope IN $scopes AND n.recallable AND n.expires_at > datetime() AND coalesce(e.scope, n.scope) IN $scopes
    AND e.revoked_at IS NULL AND NOT n IN told
  RETURN e, n ORDER BY n.centrality DESC, n.id LIMIT 15
}
RETURN m AS hub, e AS edge, n AS neighbour
