// name: report/speed
// mode: read
// params: scope, now, looked, most
// returns: measured, p50, p95, p99, slowest
//
// How long the newest recalls of a scope took for their clients, in milliseconds, and the slowest of them.
// The order begins with the scope so that the index gives it, and no more than is counted is read.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, at)
WHERE r.scope = $scope AND r.at <= $now
WITH r ORDER BY r.scope DESC, r.at DESC LIMIT $looked
WITH r WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.milliseconds IS NOT NULL
WITH r ORDER BY r.milliseconds DESC, r.at DESC, r.id
WITH collect(r) AS all, count(r) AS measured, percentileCont(r.milliseconds, 0.5) AS p50,
  percentileCont(r.milliseconds, 0.95) AS p95, percentileCont(r.milliseconds, 0.99) AS p99
RETURN measured, p50, p95, p99,
  [r IN all[..$most] | r {.id, .at, .decision, .milliseconds, domain: coalesce(r.domain, '')}] AS slowest
