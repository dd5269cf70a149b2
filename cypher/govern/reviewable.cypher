// name: govern/reviewable
// mode: read
// params: scopes, now, limit
// returns: why, id, kind, user, label, since, other, problem, support, successes, failures
//
// What waits for a person: skills without enough evidence, quarantined memories, contradictions that nobody settled, work
// that failed too often. Oldest first of each; `support` is how many distinct successful attempts are behind a skill,
// null while nobody has counted them.
CYPHER 25
CALL () {
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > $now
    AND (m.status = 'quarantined' OR (m.status = 'candidate' AND m.kind = 'skill'))
  RETURN CASE m.status WHEN 'candidate' THEN 'candidate' ELSE 'quarantined' END AS why, m, null AS other, m.updated_at AS since
  UNION ALL
  MATCH (m:Memory)-[e:RELATES {kind: 'contradicts'}]->(n:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > $now AND n.scope IN $scopes AND n.id IS NOT NULL
    AND n.expires_at > $now AND e.scope IN $scopes AND e.resolved_at IS NULL
    AND NOT m.status IN ['retired', 'superseded'] AND NOT n.status IN ['retired', 'superseded']
  RETURN 'contradiction' AS why, m, n.id AS other, e.at AS since
  UNION ALL
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > $now AND m.awaits = 'dead' AND m.status <> 'retired'
  RETURN 'dead' AS why, m, null AS other, m.updated_at AS since
}
WITH * ORDER BY why, since, m.id, other LIMIT $limit
RETURN why, m.id AS id, m.kind AS kind, m.user AS user, m.label AS label, since, other, m.problem AS problem,
  m.support AS support, m.successes AS successes, m.failures AS failures
ORDER BY why, since, id, other
