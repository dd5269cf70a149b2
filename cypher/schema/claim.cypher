// name: schema/claim
// mode: write
// params: embedding_model, now
// returns: embedding_model
//
// Say for which embedding model this database is, unless it was said before.
CYPHER 25
MERGE (s:Store {id: 'graphmem'})
ON CREATE SET s.created_at = $now
SET s.embedding_model = coalesce(s.embedding_model, $embedding_model)
RETURN s.embedding_model AS embedding_model
