// name: govern/check_labels
// mode: read
// params: scopes, most
// returns: user, id, found
//
// Nodes of these scopes that carry other labels than graphmem gives, at most so many. An episode may carry one that says
// its outcome, for Neo4j Browser.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
  WITH m, [label IN labels(m) WHERE NOT label IN ['Success', 'Mixed', 'Fail', 'Unknown']] AS marks, CASE m.kind WHEN 'episode' THEN 'Episode' WHEN 'reflection' THEN 'Reflection' WHEN 'skill' THEN 'Skill' ELSE 'Memory' END AS own
  WHERE NOT (own IN marks AND own <> 'Memory' AND size(marks) = 2) OR own <> 'Episode' AND size(marks) <> size(labels(m))
  RETURN m AS n, m.id AS id LIMIT $most
  UNION ALL
  MATCH (r:Recall) WHERE r.scope IN $scopes AND r.id IS NOT NULL AND size(labels(r)) <> 1
  RETURN r AS n, r.id AS id LIMIT $most
  UNION ALL
  MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL AND size(labels(j)) <> 1
  RETURN j AS n, j.id AS id LIMIT $most
  UNION ALL
  MATCH (p:Parameters) WHERE p.scope IN $scopes AND p.domain IS NOT NULL AND p.version IS NOT NULL AND size(labels(p)) <> 1
  RETURN p AS n, 'parameters ' + p.domain + ' ' + toString(p.version) AS id LIMIT $most
  UNION ALL
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL AND size(labels(r)) <> 1
  RETURN r AS n, 'rule ' + r.name AS id LIMIT $most
}
RETURN toStringOrNull(n.user) AS user, id,
  'its labels are ' + substring(reduce(all = '', label IN labels(n) | all + ', ' + label), 2) + ', its kind ' + coalesce(toStringOrNull(n.kind), 'absent') AS found
ORDER BY id LIMIT $most
