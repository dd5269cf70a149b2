// name: correct/correct
// mode: write
// params: scopes, wrong, right, reason, context, receipt, by, now
// returns: everywhere, contexts
//
// Write that one memory corrects another, everywhere or in one more context; the edge belongs to the scope that writes it.
// Everywhere, it revokes what that scope said to the contrary, and the blame that came with it; a revoked correction that is made again begins anew.
CYPHER 25
MATCH (w:Memory {id: $wrong}) WHERE w.scope IN $scopes
WITH w ORDER BY w.scope = $scopes[0] DESC LIMIT 1
MATCH (r:Memory {id: $right}) WHERE r.scope IN $scopes
WITH w, r ORDER BY r.scope = $scopes[0] DESC LIMIT 1
SET w.corrected = true
MERGE (r)-[c:CORRECTS {scope: $scopes[0]}]->(w)
ON CREATE SET c.revoked_at = $now
FOREACH (_ IN CASE WHEN c.revoked_at IS NULL THEN [] ELSE [1] END |
  SET c.at = $now, c.contexts = [], c.receipts = [], c.everywhere = false)
REMOVE c.revoked_at
SET c.reason = $reason, c.by = $by,
    c.everywhere = c.everywhere OR $context IS NULL,
    c.contexts = CASE WHEN $context IS NULL OR $context IN c.contexts THEN c.contexts ELSE c.contexts + $context END,
    c.receipts = CASE WHEN $receipt IS NULL OR $receipt IN c.receipts THEN c.receipts ELSE c.receipts + $receipt END
WITH w, r, c
CALL (w, r) {
  WITH * WHERE $context IS NULL
  MATCH path = (w)-[:CORRECTS]->{1,20}(r)
  WHERE all(edge IN relationships(path) WHERE edge.revoked_at IS NULL AND edge.scope = $scopes[0])
  WITH DISTINCT relationships(path)[-1] AS edge
  SET edge.revoked_at = $now
  WITH edge, endNode(edge) AS cleared
  CALL (edge, cleared) {
    MATCH (cleared)<-[x:MISLED]-(said:Recall {scope: edge.scope})
    WHERE said.id IN coalesce(edge.receipts, [])
    DELETE x
    RETURN count(*) AS forgiven
  }
  WITH DISTINCT cleared
  SET cleared.misled = COUNT { (cleared)<-[:MISLED]-() }
  RETURN count(*) AS revoked
}
RETURN c.everywhere AS everywhere, c.contexts AS contexts
