// name: explore/stale_skills
// mode: read
// params: scopes
// returns: days, id, label, version, status, last_success, successes, failures, misled, pinned, approved_by
//
// Stale skills: those in use or waiting to be, the longest without a success first. Days count from the last recall in
// which the skill was used with success, among the receipts that are kept, or from its making where there is none.
// Whom they misled is counted in these scopes alone.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.kind = 'skill' AND m.status IN ['active', 'candidate', 'quarantined'] AND m.expires_at > datetime() AND NOT m.secure
CALL (m) {
  OPTIONAL MATCH (r:Recall)-[:RETURNED {used: true}]->(m)
  WHERE r.scope IN $scopes AND r.outcome = 'success'
  RETURN max(r.at) AS last
}
RETURN duration.inDays(coalesce(last, m.created_at), datetime()).days AS days, m.id AS id, m.label AS label, m.version AS version,
  m.status AS status, toString(last) AS last_success, m.successes AS successes, m.failures AS failures,
  COUNT { (m)<-[:MISLED]-(r:Recall) WHERE r.scope IN $scopes } AS misled,
  coalesce(m.pinned, false) AS pinned, coalesce(m.approved_by, '') AS approved_by
ORDER BY days DESC, successes, id LIMIT 100
