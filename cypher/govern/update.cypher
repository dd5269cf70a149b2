// name: govern/update
// mode: write
// params: scopes, id, expected, properties
// returns: node
//
// Change the caller's fields of a memory that is still as it was read.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
SET m.counted = true
REMOVE m.counted
WITH m WHERE m.content_hash = $expected
SET m += $properties
RETURN m {.*, embedding: null, text: null} AS node
