// name: govern/check_owners
// mode: read
// params: scopes
// returns: scope, tenant, user, id, what, number
//
// Whose memories and rules these scopes keep, as they say themselves; of each the first and how many.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
  RETURN m.scope AS scope, toStringOrNull(m.tenant) AS tenant, toStringOrNull(m.user) AS user, 'memories' AS what, min(m.id) AS id, count(*) AS number
  UNION ALL
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL
  RETURN r.scope AS scope, toStringOrNull(r.tenant) AS tenant, toStringOrNull(r.user) AS user, 'versions of rules' AS what, min('rule ' + r.name) AS id, count(*) AS number
}
RETURN scope, tenant, user, id, what, number ORDER BY scope, tenant, user, what
