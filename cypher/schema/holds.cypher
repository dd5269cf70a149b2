// name: schema/holds
// mode: read
// params:
// returns: memories, schema
//
// How many memories a database holds, of all its tenants together, and the last step of its schema.
CYPHER 25
RETURN
  COUNT { (m:Memory) } AS memories,
  coalesce(head(COLLECT { MATCH (a:Migration) WHERE a.number IS NOT NULL RETURN a.number ORDER BY a.number DESC LIMIT 1 }), 0) AS schema
