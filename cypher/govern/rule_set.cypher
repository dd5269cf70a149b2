// name: govern/rule_set
// mode: write
// params: scope, domain, name, write_id, said, properties
// returns: node, changed
//
// Add a version of a rule and put it in force in the place of the one before, unless that says the same; the statement
// before this one holds them. A transaction that is retried after its commit finds its version there. Nothing is done, and
// nothing comes back, where an erasure took version 0, which is held, or the version that says the same.
CYPHER 25
MATCH (r:Rule {scope: $scope, domain: $domain, name: $name}) WHERE r.version IS NOT NULL
WITH collect(r) AS versions, max(r.version) AS last WHERE any(r IN versions WHERE r.version = 0)
WITH last, head([r IN versions WHERE r.write_id = $write_id]) AS written, [r IN versions WHERE r.active] AS active
WITH last, written, active,
  written IS NULL AND NOT coalesce(all(key IN keys($said) WHERE active[0][key] = $said[key]), false) AS new
FOREACH (_ IN CASE WHEN new THEN [1] ELSE [] END |
  FOREACH (r IN active | SET r.active = false)
  CREATE (n:Rule {scope: $scope, domain: $domain, name: $name, version: last + 1, write_id: $write_id, active: true})
  SET n += $properties, n += $said)
WITH new OR written IS NOT NULL AS changed,
  CASE WHEN new THEN last + 1 WHEN written IS NOT NULL THEN written.version ELSE active[0].version END AS version
MATCH (r:Rule {scope: $scope, domain: $domain, name: $name, version: version})
RETURN r {.*} AS node, changed
