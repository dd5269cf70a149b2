// name: move/known_rules
// mode: read
// params: rows
// returns: scope, id, node
//
// Those of the versions of rules that are there; an id is domain, name and version.
CYPHER 25
UNWIND $rows AS row
MATCH (r:Rule {scope: row.scope, domain: row.domain, name: row.name, version: row.version})
RETURN r.scope AS scope, row.id AS id, r {.*} AS node
