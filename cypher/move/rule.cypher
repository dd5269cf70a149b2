// name: move/rule
// mode: write
// params: row
// returns: created
//
// Store a version of a rule that comes from elsewhere, once; it is in force if it was, no other is, and none is newer, which
// would have been withdrawn. The statement before this one holds the rule.
CYPHER 25
WITH $row AS row
MERGE (r:Rule {scope: row.scope, domain: row.domain, name: row.name, version: row.version})
ON CREATE SET r += row.properties, r.write_id = row.write_id
WITH r, row, coalesce(r.write_id = row.write_id, false) AS created
FOREACH (_ IN CASE WHEN created AND row.active AND NOT EXISTS {
    MATCH (o:Rule {scope: row.scope, domain: row.domain, name: row.name})
    WHERE o.version > 0 AND (o.active OR o.version > row.version)
  } THEN [1] ELSE [] END | SET r.active = true)
RETURN CASE WHEN created THEN 1 ELSE 0 END AS created
