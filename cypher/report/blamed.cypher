// name: report/blamed
// mode: read
// params: scope, scopes, now, looked, most
// returns: id, label, status, times, since, answered
//
// The memories that misled in the newest recalls of a scope: since the first of these recalls, however late it was said,
// how often, and when the first correction after that was made, everywhere or in a context. A context that a correction
// names is no recall. Most recently blamed first.
// The order begins with the scope so that the index gives it, and no more than is counted is read.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, at)
WHERE r.scope = $scope AND r.at <= $now
WITH r ORDER BY r.scope DESC, r.at DESC LIMIT $looked
WITH r WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.decision <> 'corrected'
MATCH (r)-[x:MISLED]->(m:Memory)
WHERE m.scope IN $scopes AND NOT m.secure AND m.expires_at > $now
WITH m, min(r.at) AS since, max(x.at) AS said, count(x) AS times
ORDER BY said DESC, m.id, m.scope LIMIT $most
CALL (m, since) {
  MATCH (m)<-[c:CORRECTS]-(n:Memory)
  WHERE c.scope IN $scopes AND c.revoked_at IS NULL AND n.scope IN $scopes
  WITH c, since, COLLECT {
      UNWIND coalesce(c.receipts, []) AS id
      MATCH (s:Recall {scope: c.scope, id: id})
      RETURN s.at
    } + c.at AS made
  UNWIND made AS at
  WITH at, since WHERE at >= since
  RETURN min(at) AS answered
}
RETURN m.id AS id, m.label AS label, m.status AS status, times, since, answered
ORDER BY said DESC, id, m.scope
