// name: schema/scopes
// mode: read
// params: after, most
// returns: scope
//
// The scopes of a database that keep memories or receipts, of all tenants, in their order; for work on the whole database.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope > $after AND m.id IS NOT NULL
  RETURN DISTINCT m.scope AS scope ORDER BY scope LIMIT $most
  UNION
  MATCH (r:Recall) WHERE r.scope > $after AND r.id IS NOT NULL
  RETURN DISTINCT r.scope AS scope ORDER BY scope LIMIT $most
}
RETURN DISTINCT scope ORDER BY scope LIMIT $most
