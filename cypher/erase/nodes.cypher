// name: erase/nodes
// mode: read
// params: rows
// returns: node, rights
//
// Memories by scope and id, and how many others each corrects everywhere.
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {scope: row.scope, id: row.id})
RETURN m {.*, embedding: null, text: null} AS node,
  COUNT { MATCH (m)-[c:CORRECTS]->(:Memory) WHERE c.everywhere AND c.revoked_at IS NULL } AS rights
