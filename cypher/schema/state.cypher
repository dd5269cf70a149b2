// name: schema/state
// mode: read
// params:
// returns: embedding_model, moving, migrations
//
// For which embedding model this database is, whether it is being moved to it, and which migrations were applied.
CYPHER 25
RETURN
  head(COLLECT { MATCH (s:Store {id: 'graphmem'}) RETURN s.embedding_model }) AS embedding_model,
  head(COLLECT { MATCH (s:Store {id: 'graphmem'}) RETURN s.moving }) AS moving,
  COLLECT { MATCH (a:Migration) WHERE a.number IS NOT NULL RETURN a {.number, .name, .checksum} ORDER BY a.number } AS migrations
