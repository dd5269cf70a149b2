// name: erase/vouched
// mode: read
// params: scopes, pattern
// returns: node
//
// Skills of these scopes that somebody approved who is named by the pattern, with all that they say.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.kind = 'skill' AND m.approved_by =~ $pattern
RETURN m {.*, embedding: null} AS node ORDER BY m.id, m.scope
