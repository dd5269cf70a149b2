// name: learn/evidence
// mode: read
// params: scope, now, after, most, only
// returns: id, status, version, family, approved_by, attempts, uses, contradictions, older, demoted, steps, grounds
//
// What speaks for and against the skills of a scope (all, or those of these ids), by id: the attempts behind their lessons,
// with failures at the same tasks since the first success; who used them since a person last judged them; contradictions
// that nobody decided; other active versions.
CYPHER 25
MATCH (s:Memory)
WHERE s.scope = $scope AND s.kind = 'skill' AND s.status IN ['candidate', 'active'] AND s.id > $after AND s.expires_at > $now
  AND ($only IS NULL OR s.id IN $only)
  AND (s.family IS NULL OR NOT EXISTS {
    MATCH (o:Memory {scope: $scope, family: s.family}) WHERE o.status = 'active' AND o.version > s.version
  })
WITH s ORDER BY s.id LIMIT $most
CALL (s) {
  OPTIONAL MATCH (r:Memory {scope: $scope})-[:GENERALIZES]->(s) WHERE r.status IN ['active', 'candidate'] AND r.expires_at > $now
  RETURN collect(r) AS lessons
}
CALL (lessons) {
  UNWIND lessons AS r
  MATCH (e:Memory {scope: $scope})-[:DERIVES]->(r)
  WHERE e.kind = 'episode' AND e.status = 'active' AND e.expires_at > $now
  RETURN collect(DISTINCT e) AS sources
}
CALL (sources) {
  UNWIND sources AS e
  WITH e WHERE e.outcome = 'success'
  WITH e.task_key AS task, min(e.happened_at) AS first
  MATCH (f:Memory {scope: $scope, task_key: task})
  WHERE f.outcome IN ['fail', 'mixed'] AND f.status = 'active' AND f.happened_at > first AND f.expires_at > $now
  RETURN collect(f) AS failed
}
CALL (sources) {
  UNWIND sources AS e
  WITH e WHERE e.outcome = 'success'
  WITH e ORDER BY e.happened_at DESC, e.id LIMIT 20
  RETURN collect({trajectory: e.trajectory, techniques: e.techniques}) AS grounds
}
CALL (sources, failed) {
  UNWIND sources + failed AS e
  WITH DISTINCT e ORDER BY e.id LIMIT 1000
  RETURN collect({id: e.id, trace_id: trim(e.trace_id), content_hash: coalesce(e.attempt_key, e.content_hash), outcome: e.outcome}) AS attempts
}
CALL (s) {
  MATCH (s)<-[:RETURNED {used: true}]-(u:Recall {tenant: s.tenant})
  WHERE s.user IN ['', u.user] AND u.outcome IN ['success', 'fail', 'mixed'] AND (s.reviewed_at IS NULL OR u.judged_at > s.reviewed_at)
  WITH u ORDER BY u.at DESC, u.id LIMIT 1000
  RETURN collect({recall: u.id, trace_id: trim(coalesce(u.trace_id, '')), success: u.outcome = 'success'}) AS uses
}
CALL (s, lessons) {
  UNWIND lessons + [s] AS m
  MATCH (m)-[c:RELATES {kind: 'contradicts', scope: $scope}]-(o:Memory)
  WHERE c.resolved_at IS NULL AND o.scope = $scope AND o.expires_at > $now AND NOT o.status IN ['retired', 'superseded']
  RETURN count(DISTINCT c) AS contradictions
}
CALL (s) {
  WITH * WHERE s.family IS NOT NULL
  MATCH (o:Memory {scope: $scope, family: s.family})
  WHERE o.version < s.version
  RETURN collect(CASE WHEN o.status = 'active' THEN o.id END) AS older,
    coalesce(any(o IN collect(o) WHERE o.status = 'quarantined' OR o.review = 'rejected'), false) AS demoted
}
RETURN s.id AS id, s.status AS status, s.version AS version, s.family AS family, s.approved_by AS approved_by,
  attempts, uses, contradictions, older, demoted, s.steps AS steps, grounds
ORDER BY id
