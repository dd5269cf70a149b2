// name: record/strip
// mode: write
// params: scopes, embedding_model, most
// returns: stripped, unrecognised
//
// Take the vectors of other embedding models from memories and receipts of these scopes, at most so many of each.
// `unrecognised` counts receipts by which something misled whose question is not kept, so that nothing makes their vectors anew.
CYPHER 25
CALL () {
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.embedding IS NOT NULL AND coalesce(m.embedding_model, '') <> $embedding_model
  WITH m LIMIT $most
  REMOVE m.embedding, m.embedding_model, m.embedded
  RETURN count(m) AS memories
}
CALL () {
  MATCH (r:Recall)
  WHERE r.scope IN $scopes AND r.id IS NOT NULL AND r.vector IS NOT NULL AND coalesce(r.embedding_model, '') <> $embedding_model
  WITH r LIMIT $most
  REMOVE r.vector
  RETURN count(r) AS receipts, sum(CASE WHEN r.question IS NULL AND EXISTS { (r)-[:MISLED]->() } THEN 1 ELSE 0 END) AS unrecognised
}
RETURN CASE WHEN memories > receipts THEN memories ELSE receipts END AS stripped, unrecognised
