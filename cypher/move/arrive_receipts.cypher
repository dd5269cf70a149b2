// name: move/arrive_receipts
// mode: write
// params: rows
// returns: arrived
//
// Let receipts be there for good, now that all that they say of memories is.
CYPHER 25
UNWIND $rows AS row
MATCH (r:Recall {scope: row.scope, id: row.id}) WHERE r.arriving
REMOVE r.arriving
RETURN count(r) AS arrived
