// name: learn/queue
// mode: read
// params: scope, now
// returns: waiting, grouping, distilling, dead, oldest, lags
//
// How long the queue of a scope is, since when the oldest waits, and how long the latest thousand waited, in seconds.
CYPHER 25
CALL () {
  OPTIONAL MATCH (m:Memory {scope: $scope, awaits: 'reflection'}) WHERE m.status = 'active' AND m.expires_at > $now
  RETURN count(m) AS waiting, min(m.created_at) AS oldest
}
CALL () { OPTIONAL MATCH (m:Memory {scope: $scope, awaits: 'grouping'}) WHERE m.expires_at > $now AND m.status IN ['active', 'candidate'] RETURN count(m) AS grouping }
CALL () { OPTIONAL MATCH (m:Memory {scope: $scope, awaits: 'distilling'}) WHERE m.expires_at > $now RETURN count(m) AS distilling }
CALL () { OPTIONAL MATCH (m:Memory {scope: $scope, awaits: 'dead'}) WHERE m.expires_at > $now RETURN count(m) AS dead }
CALL () {
  MATCH (m:Memory) WHERE m.scope = $scope AND m.reflected_at IS NOT NULL
  WITH m ORDER BY m.reflected_at DESC LIMIT 1000
  RETURN collect(duration.inSeconds(m.created_at, m.reflected_at).seconds) AS lags
}
RETURN waiting, grouping, distilling, dead, oldest, lags
