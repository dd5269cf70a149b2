// name: govern/rule_hold
// mode: write
// params: scope, domain, name, tenant, user
// returns: version
//
// Lock a rule of a scope and domain, as the first statement of a transaction that changes it. Its version 0 is never in
// force, and says nothing. An erasure may delete it while it is waited for; so it is waited for first, and then looked for
// once more, or made.
CYPHER 25
OPTIONAL MATCH (there:Rule {scope: $scope, domain: $domain, name: $name, version: 0})
FOREACH (r IN CASE WHEN there IS NULL THEN [] ELSE [there] END | SET r.held = true)
WITH count(*) AS waited
MERGE (r:Rule {scope: $scope, domain: $domain, name: $name, version: 0})
ON CREATE SET r.active = false, r.tenant = $tenant, r.user = $user
SET r.held = true
REMOVE r.held
RETURN r.version AS version
