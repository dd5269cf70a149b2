// name: measure/failures
// mode: read
// params: scope, scopes, domain, now, most
// returns: domain, reason, id, at
//
// What went wrong, newest first: the reasons of failed episodes, the failure modes of reflections, why memories misled,
// unless it is a secure memory that corrects them there.
CYPHER 25
CALL () {
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > $now AND NOT m.secure
    AND ((m.kind = 'episode' AND m.outcome = 'fail' AND m.failure_reason <> '') OR (m.kind = 'reflection' AND m.failure_mode <> ''))
  RETURN m.domain AS domain, CASE m.kind WHEN 'episode' THEN m.failure_reason ELSE m.failure_mode END AS reason, m.id AS id,
    m.happened_at AS at
  UNION ALL
  MATCH (r:Recall {scope: $scope}) WHERE r.id IS NOT NULL AND r.expires_at > $now
  WITH r
  MATCH (r)-[x:MISLED]->(m:Memory)
  WHERE m.scope IN $scopes AND m.expires_at > $now AND NOT m.secure AND x.reason <> ''
    AND NOT EXISTS { (m)<-[c:CORRECTS]-(s:Memory) WHERE s.secure AND r.id IN c.receipts }
  RETURN CASE WHEN coalesce(r.domain, '') = '' THEN m.domain ELSE r.domain END AS domain, x.reason AS reason, m.id AS id,
    x.at AS at
}
WITH domain, reason, id, at WHERE $domain IS NULL OR domain = $domain
RETURN domain, reason, id, at
ORDER BY at DESC, id LIMIT $most
