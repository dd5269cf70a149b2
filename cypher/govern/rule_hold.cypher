// name: govern/rule_hold
// mode: write
// params: scope, domain, name, tenant, user
// returns: version
//
// Lock a rule of a scope and domain, as the first statement of a transaction that changes it. Its version 0 is never in
// force, and says nothing.
CYPHER 25
MERGE (r:Rule {scope: $scope, domain: $domain, name: $name, version: 0})
ON CREATE SET r.active = false, r.tenant = $tenant, r.user = $user
SET r.held = true
REMOVE r.held
RETURN r.version AS version
