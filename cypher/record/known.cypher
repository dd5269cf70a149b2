// name: record/known
// mode: read
// params: scopes, ids
// returns: id
//
// Those of the ids that exist in these scopes.
CYPHER 25
UNWIND $ids AS id
WITH DISTINCT id
WHERE EXISTS { MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes }
RETURN id
