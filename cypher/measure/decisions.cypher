// name: measure/decisions
// mode: read
// params: scope, domain, now
// returns: domain, decision, asked
//
// How the recalls of a scope that left a receipt were decided, by domain.
CYPHER 25
MATCH (r:Recall {scope: $scope})
WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.decision IN ['use', 'verify', 'novel', 'policy_only'] AND ($domain IS NULL OR r.domain = $domain)
RETURN coalesce(r.domain, '') AS domain, r.decision AS decision, count(*) AS asked
ORDER BY domain, decision
