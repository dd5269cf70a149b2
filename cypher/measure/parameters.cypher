// name: measure/parameters
// mode: read
// params: scope, domain
// returns: node
//
// The versions of a scope's parameters for a domain, newest first.
CYPHER 25
MATCH (p:Parameters {scope: $scope, domain: $domain}) WHERE p.version > 0
RETURN p {.*, replaced: coalesce(p.replaced, p.version - 1)} AS node ORDER BY node.version DESC
