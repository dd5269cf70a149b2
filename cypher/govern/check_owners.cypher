// name: govern/check_owners
// mode: read
// params: scopes
// returns: scope, tenant, user, id, memories
//
// Whose memories these scopes keep, as they say themselves; of each the first and how many.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
RETURN m.scope AS scope, toStringOrNull(m.tenant) AS tenant, toStringOrNull(m.user) AS user, min(m.id) AS id, count(*) AS memories
ORDER BY scope, tenant, user
