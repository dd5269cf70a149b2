// name: move/known_parameters
// mode: read
// params: rows
// returns: scope, id, node
//
// Those of the versions of parameters that are there; an id is domain and version.
CYPHER 25
UNWIND $rows AS row
MATCH (p:Parameters {scope: row.scope, domain: row.domain, version: row.version})
RETURN p.scope AS scope, row.id AS id, p {.*} AS node
