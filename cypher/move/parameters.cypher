// name: move/parameters
// mode: read
// params: scope, domain, version, most
// returns: node
//
// The next versions of the parameters of a scope, in the order of domain and version.
CYPHER 25
MATCH (p:Parameters)
WHERE p.scope = $scope AND p.domain >= $domain AND p.version > 0 AND (p.domain > $domain OR p.version > $version)
WITH p ORDER BY p.domain, p.version LIMIT $most
RETURN p {.*} AS node
ORDER BY node.domain, node.version
