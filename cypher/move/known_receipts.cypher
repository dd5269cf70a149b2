// name: move/known_receipts
// mode: read
// params: rows
// returns: scope, id, node
//
// Those of the receipts that are there.
CYPHER 25
UNWIND $rows AS row
MATCH (r:Recall {scope: row.scope, id: row.id})
RETURN r.scope AS scope, r.id AS id, r {.*, vector: null} AS node
