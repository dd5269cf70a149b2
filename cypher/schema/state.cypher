// name: schema/state
// mode: read
// params:
// returns: embedding_model, migrations
//
// For which embedding model this database was made, and which migrations were applied.
CYPHER 25
RETURN
  head(COLLECT { MATCH (s:Store {id: 'graphmem'}) RETURN s.embedding_model }) AS embedding_model,
  COLLECT { MATCH (a:Migration) WHERE a.number IS NOT NULL RETURN a {.number, .name, .checksum} ORDER BY a.number } AS migrations
