// name: move/tuned
// mode: write
// params: row
// returns: created
//
// Store a version of parameters that comes from elsewhere, once; it is the active one if it was, and no other is. The
// statement before this one holds the parameters of the scope and domain.
CYPHER 25
WITH $row AS row
MERGE (p:Parameters {scope: row.scope, domain: row.domain, version: row.version})
ON CREATE SET p += row.properties, p.write_id = row.write_id
WITH p, row, coalesce(p.write_id = row.write_id, false) AS created
FOREACH (_ IN CASE WHEN created AND row.active AND NOT EXISTS {
    MATCH (o:Parameters {scope: row.scope, domain: row.domain}) WHERE o.active AND o.version > 0
  } THEN [1] ELSE [] END | SET p.active = true)
RETURN CASE WHEN created THEN 1 ELSE 0 END AS created
