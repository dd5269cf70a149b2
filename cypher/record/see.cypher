// name: record/see
// mode: write
// params: rows, scopes, embedding_model, now
// returns: embedded
//
// Give receipts the vectors of what was asked, so that the context in which a memory misled is recognised.
CYPHER 25
MATCH (s:Store {id: 'graphmem', embedding_model: $embedding_model})
UNWIND $rows AS row
MATCH (r:Recall {scope: row.scope, id: row.id})
WHERE r.scope IN $scopes AND r.question = row.text
SET r.vector = row.vector, r.embedding_model = $embedding_model, r.embedded_at = $now
RETURN count(r) AS embedded
