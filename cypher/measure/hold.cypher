// name: measure/hold
// mode: write
// params: scope, domain, tenant, user
// returns: version
//
// Lock the parameters of a scope and domain, as the first statement of a transaction that changes them. Their version 0
// stands for what the settings say: it is never active, and holds nothing.
CYPHER 25
MERGE (p:Parameters {scope: $scope, domain: $domain, version: 0})
ON CREATE SET p.active = false, p.tenant = $tenant, p.user = $user
SET p.held = true
REMOVE p.held
RETURN p.version AS version
