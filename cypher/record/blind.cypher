// name: record/blind
// mode: read
// params: scopes, after, limit
// returns: scope, id, text
//
// Receipts that have no vector of what was asked, and keep the question since a memory misled there; by scope and id.
CYPHER 25
MATCH (r:Recall)
WHERE r.scope IN $scopes AND r.id IS NOT NULL AND r.vector IS NULL AND r.question IS NOT NULL AND r.scope + r.id > $after
RETURN r.scope AS scope, r.id AS id, r.question AS text
ORDER BY r.scope + r.id LIMIT $limit
