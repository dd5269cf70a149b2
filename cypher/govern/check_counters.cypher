// name: govern/check_counters
// mode: read
// params: scopes, most
// returns: user, id, found
//
// Memories whose counters are not what their edges say: at most so many, in the order of their ids.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m,
  COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'success', tenant: m.tenant}) WHERE m.user IN ['', by.user] } AS successes,
  COUNT { (m)<-[:RETURNED {used: true}]-(by:Recall {outcome: 'fail', tenant: m.tenant}) WHERE m.user IN ['', by.user] } AS failures,
  COUNT { (m)<-[:MISLED]-() } AS misled
WHERE NOT coalesce(m.successes = successes AND m.failures = failures AND m.misled = misled, false)
RETURN toStringOrNull(m.user) AS user, m.id AS id,
  'successes, failures, misled are ' + coalesce(toStringOrNull(m.successes), 'absent') + ', ' + coalesce(toStringOrNull(m.failures), 'absent') + ', '
  + coalesce(toStringOrNull(m.misled), 'absent') + '; its edges say ' + toString(successes) + ', ' + toString(failures) + ', ' + toString(misled) AS found
ORDER BY id LIMIT $most
