// name: move/owners
// mode: read
// params: tenant, scopes, most
// returns: scope, user
//
// The scopes of a tenant and of all its users in which anything is kept, with the user of each, and those given, which are
// the tenant's own; at most so many.
CYPHER 25
CALL () {
  UNWIND $scopes AS scope
  RETURN scope, '' AS user
  UNION
  MATCH (m:Memory) WHERE m.tenant = $tenant AND m.scope IS NOT NULL
  RETURN DISTINCT m.scope AS scope, m.user AS user LIMIT $most
  UNION
  MATCH (r:Recall) WHERE r.tenant = $tenant AND r.scope IS NOT NULL
  RETURN DISTINCT r.scope AS scope, r.user AS user LIMIT $most
  UNION
  MATCH (p:Parameters) WHERE p.tenant = $tenant AND p.scope IS NOT NULL
  RETURN DISTINCT p.scope AS scope, p.user AS user LIMIT $most
  UNION
  MATCH (r:Rule) WHERE r.tenant = $tenant AND r.scope IS NOT NULL
  RETURN DISTINCT r.scope AS scope, r.user AS user LIMIT $most
  UNION
  MATCH (j:Job) WHERE j.tenant = $tenant AND j.scope IS NOT NULL
  RETURN DISTINCT j.scope AS scope, j.user AS user LIMIT $most
}
RETURN scope, user ORDER BY scope, user
