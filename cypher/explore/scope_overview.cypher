// name: explore/scope_overview
// mode: read
// params: scope, scopes
// returns: what, status, outcome, number, newest
//
// What this scope keeps: memories by kind, status and outcome, receipts by decision and outcome, rules, parameters, jobs.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.kind IS NOT NULL AND m.status IS NOT NULL AND m.expires_at > datetime()
  RETURN m.kind AS what, m.status AS status, coalesce(m.outcome, '') AS outcome, count(*) AS number, max(m.created_at) AS newest
  UNION ALL
  MATCH (r:Recall {scope: $scope}) WHERE r.id IS NOT NULL AND r.expires_at > datetime()
  RETURN 'recall' AS what, r.decision AS status, coalesce(r.outcome, '') AS outcome, count(*) AS number, max(r.at) AS newest
  UNION ALL
  MATCH (u:Rule) WHERE u.scope IN $scopes AND u.domain IS NOT NULL AND u.name IS NOT NULL AND u.version > 0
  RETURN 'rule' AS what, CASE WHEN properties(u).active THEN 'in force' ELSE 'former' END AS status, '' AS outcome, count(*) AS number,
    max(u.at) AS newest
  UNION ALL
  MATCH (p:Parameters) WHERE p.scope IN $scopes AND p.domain IS NOT NULL AND p.version > 0
  RETURN 'parameters' AS what, CASE WHEN properties(p).active THEN 'in force' ELSE 'former' END AS status, '' AS outcome, count(*) AS number,
    max(p.at) AS newest
  UNION ALL
  MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL AND j.kind <> 'queue'
  RETURN 'job ' + j.kind AS what, j.state AS status, '' AS outcome, count(*) AS number, max(j.started_at) AS newest
}
RETURN what, status, outcome, number, toString(newest) AS newest
ORDER BY what, status, outcome
