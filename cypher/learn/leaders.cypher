// name: learn/leaders
// mode: read
// params: scope, now, latest, members, attempts
// returns: id, members, attempts, current, last
//
// A group that waits to be distilled: its lessons, the latest attempts behind them, and the newest version of its skill that
// has not expired, with the number of the last one.
CYPHER 25
MATCH (first:Memory {scope: $scope, awaits: 'distilling'})
WHERE first.claimed_until IS NULL OR NOT $now < first.claimed_until <= $latest
WITH first ORDER BY first.created_at, first.id LIMIT 1
CALL (first) {
  MATCH (m:Memory {scope: $scope, group: first.id})
  WHERE m.expires_at > $now AND m.status IN ['active', 'candidate']
  WITH m ORDER BY m.created_at, m.id LIMIT $members
  RETURN collect(m) AS lessons
}
CALL (lessons) {
  UNWIND lessons AS m
  MATCH (e:Memory {scope: $scope})-[:DERIVES]->(m)
  WHERE e.kind = 'episode' AND e.status = 'active' AND e.expires_at > $now
  WITH DISTINCT e ORDER BY e.happened_at DESC, e.id LIMIT $attempts
  WITH e ORDER BY e.happened_at, e.id
  RETURN collect(e {.*, embedding: null, text: null}) AS attempts
}
CALL (first) {
  OPTIONAL MATCH (s:Memory {scope: $scope, family: first.id})
  WITH s ORDER BY s.version DESC, s.id
  WITH collect(s) AS versions
  RETURN head([s IN versions WHERE s.expires_at > $now | s {.*, embedding: null, text: null}]) AS current,
    coalesce(head(versions).version, 0) AS last
}
RETURN first.id AS id, [m IN lessons | m {.*, embedding: null, text: null}] AS members, attempts, current, last
