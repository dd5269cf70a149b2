// name: move/rules
// mode: read
// params: scope, domain, name, version, most
// returns: node
//
// The next versions of the rules of a scope, in the order of domain, name and version.
CYPHER 25
MATCH (r:Rule)
WHERE r.scope = $scope AND r.domain >= $domain AND r.name IS NOT NULL AND r.version > 0
  AND (r.domain > $domain OR r.name > $name OR r.name = $name AND r.version > $version)
WITH r ORDER BY r.domain, r.name, r.version LIMIT $most
RETURN r {.*} AS node
ORDER BY node.domain, node.name, node.version
