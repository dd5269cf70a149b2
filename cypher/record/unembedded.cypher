// name: record/unembedded
// mode: read
// params: scopes, after, limit
// returns: scope, id, text
//
// Memories that have no vector yet, in the order of scope and id.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.embedding IS NULL AND m.scope + m.id > $after
RETURN m.scope AS scope, m.id AS id, m.text AS text
ORDER BY m.scope + m.id LIMIT $limit
