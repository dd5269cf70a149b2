// name: measure/activate
// mode: write
// params: scope, domain, version
// returns: version
//
// Make one version of the parameters the active one, or none with version 0; the statement before this one holds them.
CYPHER 25
MATCH (p:Parameters {scope: $scope, domain: $domain}) WHERE p.version IS NOT NULL
SET p.active = p.version = $version AND p.version > 0
WITH p WHERE p.version = $version
RETURN p.version AS version
