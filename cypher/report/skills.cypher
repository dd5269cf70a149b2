// name: report/skills
// mode: read
// params: scopes, now, most
// returns: id, label, version, status, support, success_rate, success_low, successes, failures, misled, approved
//
// The skills of these scopes with their evidence: those in use first, then by the lower bound of their success rate.
// Whom they misled is counted in these scopes alone.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.kind = 'skill' AND m.status IS NOT NULL AND NOT m.secure AND m.expires_at > $now
WITH m, CASE m.status WHEN 'active' THEN 0 WHEN 'candidate' THEN 1 ELSE 2 END AS place
ORDER BY place, coalesce(m.success_low, 0.0) DESC, coalesce(m.support, 0) DESC, m.id, m.scope LIMIT $most
RETURN m.id AS id, m.label AS label, m.version AS version, m.status AS status, m.support AS support,
  m.success_rate AS success_rate, m.success_low AS success_low, coalesce(m.successes, 0) AS successes,
  coalesce(m.failures, 0) AS failures,
  COUNT { (m)<-[:MISLED]-(r:Recall) WHERE r.scope IN $scopes } AS misled, m.authority = 1 AS approved
ORDER BY place, coalesce(success_low, 0.0) DESC, coalesce(support, 0) DESC, id
