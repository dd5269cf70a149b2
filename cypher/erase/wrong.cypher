// name: erase/wrong
// mode: read
// params: rows, keys
// returns: scope, id
//
// What these memories alone correct everywhere: it was right no more, and is not right again when they are gone.
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {scope: row.scope, id: row.id})-[c:CORRECTS {scope: row.scope}]->(n:Memory {scope: row.scope})
WHERE c.everywhere AND c.revoked_at IS NULL AND n.status IN ['active', 'candidate'] AND NOT n.scope + ' ' + n.id IN $keys
  AND NOT EXISTS {
    MATCH (o:Memory {scope: row.scope})-[d:CORRECTS {scope: row.scope}]->(n)
    WHERE d.everywhere AND d.revoked_at IS NULL AND NOT o.scope + ' ' + o.id IN $keys
  }
RETURN DISTINCT n.scope AS scope, n.id AS id
