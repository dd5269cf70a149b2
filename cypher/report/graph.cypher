// name: report/graph
// mode: read
// params: scopes, now, looked, seeds, fanout, most
// returns: nodes, edges
//
// The best linked of the newest memories of these scopes, some neighbours of each, and the links between them. Links of
// other scopes, revoked corrections and links of a memory to itself do not count.
CYPHER 25
MATCH (m:Memory)
USING INDEX m:Memory(scope, happened_at)
WHERE m.scope IN $scopes AND m.happened_at IS NOT NULL AND m.id IS NOT NULL AND NOT m.secure AND m.expires_at > $now
WITH m ORDER BY m.happened_at DESC, m.id LIMIT $looked
WITH m, COUNT {
    MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
    WHERE n <> m AND n.scope IN $scopes AND NOT n.secure AND n.expires_at > $now
      AND coalesce(e.scope, n.scope) IN $scopes AND e.revoked_at IS NULL
  } AS links
WITH m, links WHERE links > 0
WITH m, links ORDER BY links DESC, m.id, m.scope LIMIT $seeds
WITH collect(m) AS seeds
CALL (seeds) {
  UNWIND seeds AS m
  CALL (m) {
    MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
    WHERE n <> m AND n.scope IN $scopes AND NOT n.secure AND n.expires_at > $now
      AND coalesce(e.scope, n.scope) IN $scopes AND e.revoked_at IS NULL
    RETURN DISTINCT n ORDER BY n.happened_at DESC, n.id, n.scope LIMIT $fanout
  }
  RETURN collect(DISTINCT n) AS near
}
WITH seeds + [n IN near WHERE NOT n IN seeds] AS found
CALL (found) {
  UNWIND found AS m
  MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]->(n:Memory)
  WHERE n <> m AND n IN found AND coalesce(e.scope, n.scope) IN $scopes AND e.revoked_at IS NULL
  WITH DISTINCT m, n, CASE type(e) WHEN 'RELATES' THEN e.kind ELSE toLower(type(e)) END AS kind
  ORDER BY m.id, m.scope, n.id, n.scope, kind LIMIT $most
  RETURN collect({start: m.id, start_user: m.user, end: n.id, end_user: n.user, kind: kind}) AS edges
}
RETURN [m IN found | m {.id, .user, .kind, .label, .status, .outcome}] AS nodes, edges
