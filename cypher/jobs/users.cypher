// name: jobs/users
// mode: read
// params: tenant, scopes
// returns: user
//
// The users of a tenant who keep memories, by the scopes that are not among those given.
CYPHER 25
MATCH (m:Memory) WHERE m.tenant = $tenant AND m.scope IS NOT NULL
WITH DISTINCT m.scope AS scope WHERE NOT scope IN $scopes
CALL (scope) {
  MATCH (m:Memory) WHERE m.scope = scope AND m.id IS NOT NULL
  RETURN m.user AS user LIMIT 1
}
RETURN user ORDER BY user
