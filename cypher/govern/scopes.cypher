// name: govern/scopes
// mode: read
// params: tenant, scopes, most
// returns: scope
//
// The scopes of a tenant and of all its users, at most so many: those given, and those in which anything is kept.
CYPHER 25
CALL () {
  UNWIND $scopes AS scope
  RETURN scope
  UNION
  MATCH (m:Memory) WHERE m.tenant = $tenant AND m.scope IS NOT NULL
  RETURN DISTINCT m.scope AS scope LIMIT $most
  UNION
  MATCH (r:Recall) WHERE r.tenant = $tenant AND r.scope IS NOT NULL
  RETURN DISTINCT r.scope AS scope LIMIT $most
  UNION
  MATCH (p:Parameters) WHERE p.tenant = $tenant AND p.scope IS NOT NULL
  RETURN DISTINCT p.scope AS scope LIMIT $most
  UNION
  MATCH (r:Rule) WHERE r.tenant = $tenant AND r.scope IS NOT NULL
  RETURN DISTINCT r.scope AS scope LIMIT $most
  UNION
  MATCH (j:Job) WHERE j.tenant = $tenant AND j.scope IS NOT NULL
  RETURN DISTINCT j.scope AS scope LIMIT $most
}
RETURN scope ORDER BY scope
