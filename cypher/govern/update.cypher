// name: govern/update
// mode: write
// params: scopes, id, was, properties
// returns: node
//
// Change the caller's fields of a memory whose changeable fields are still as they were read. They are compared one by
// one, since a read outside the lock may have met another writer's commit between two properties; the statement before
// this one holds the memory.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
WITH m WHERE m.tags = $was.tags AND m.metadata = $was.metadata AND m.expires_at = $was.expires_at
SET m += $properties
REMOVE m.open_hash
RETURN m {.*, embedding: null, text: null} AS node
