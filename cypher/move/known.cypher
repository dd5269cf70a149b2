// name: move/known
// mode: read
// params: rows
// returns: scope, id, node
//
// Those of the memories that are there, whether or not they have expired.
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {scope: row.scope, id: row.id})
RETURN m.scope AS scope, m.id AS id, m {.*, embedding: null, text: null} AS node
