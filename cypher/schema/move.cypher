// name: schema/move
// mode: write
// params: embedding_model
// returns: moved_from
//
// Say that this database is being moved to another embedding model: until that has ended its vectors are not asked, and
// none of the old model is written. Said again, it goes on.
CYPHER 25
MERGE (s:Store {id: 'graphmem'})
SET s.moved_from = CASE WHEN s.moving AND s.embedding_model = $embedding_model THEN s.moved_from ELSE s.embedding_model END,
    s.embedding_model = $embedding_model, s.moving = true
RETURN s.moved_from AS moved_from
