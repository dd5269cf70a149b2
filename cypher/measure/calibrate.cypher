// name: measure/calibrate
// mode: write
// params: scope, domain, write_id, properties
// returns: version
//
// Add a version of the parameters and make it the active one in the place of the one before; the statement before this one holds them. A transaction
// that is retried after its commit finds its version there.
CYPHER 25
MATCH (p:Parameters {scope: $scope, domain: $domain}) WHERE p.version IS NOT NULL
WITH collect(p) AS before, max(p.version) AS last
WITH before, last, coalesce(head([p IN before WHERE p.active | p.version]), 0) AS replaced,
  head([p IN before WHERE p.write_id = $write_id | p.version]) AS written
FOREACH (_ IN CASE WHEN written IS NULL THEN [1] ELSE [] END |
  FOREACH (p IN before | SET p.active = false)
  CREATE (n:Parameters {scope: $scope, domain: $domain, version: last + 1, replaced: replaced, write_id: $write_id, active: true})
  SET n += $properties)
RETURN coalesce(written, last + 1) AS version
