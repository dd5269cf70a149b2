// name: schema/moved
// mode: write
// params: embedding_model
// returns: moved
//
// Say that the move to an embedding model has ended, unless the next one has begun.
CYPHER 25
MATCH (s:Store {id: 'graphmem', embedding_model: $embedding_model})
REMOVE s.moving
RETURN count(s) AS moved
