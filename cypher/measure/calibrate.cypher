// name: measure/calibrate
// mode: write
// params: scope, domain, write_id, properties
// returns: version
//
// Add a version of the parameters and make it the active one; the statement before this one holds them. A transaction
// that is retried after its commit finds its version there.
CYPHER 25
MATCH (p:Parameters {scope: $scope, domain: $domain})
WITH collect(p) AS before, max(p.version) AS last
MERGE (n:Parameters {scope: $scope, domain: $domain, write_id: $write_id})
ON CREATE SET n += $properties, n.version = last + 1, n.active = true
FOREACH (p IN CASE WHEN n IN before THEN [] ELSE before END | SET p.active = false)
RETURN n.version AS version
