// name: govern/get
// mode: read
// params: scopes, id
// returns: node
//
// One memory, the user's own before a shared one of the same id.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes
RETURN m {.*, embedding: null, text: null} AS node
ORDER BY m.scope = $scopes[0] DESC LIMIT 1
