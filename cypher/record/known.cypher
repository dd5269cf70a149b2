// name: record/known
// mode: read
// params: scopes, ids, now
// returns: id, recallable
//
// Those of the ids that exist in these scopes and have not expired; the user's own before a shared one.
CYPHER 25
UNWIND $ids AS id
WITH DISTINCT id
MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH id, m ORDER BY m.scope = $scopes[0] DESC
WITH id, head(collect(m)) AS m
RETURN id, m.recallable AS recallable
