// name: correct/correct
// mode: write
// params: scopes, wrong, right, reason, context, receipt, close, by, now
// returns: everywhere, contexts
//
// Write that one memory corrects another, everywhere or in one more context; the edge belongs to the scope that writes it.
// What that scope said to the contrary ends where this holds, and the blame that came with it; a revoked correction that
// is made again begins anew. Only edges between the two are changed, for both are held. What other memories say of them
// is weighed at recall.
// The contexts and the receipts of an edge stand in pairs; two contexts whose cosine is at least `close` are one.
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
FOREACH (_ IN CASE WHEN $context IS NULL AND NOT c.everywhere THEN [1] ELSE [] END |
  SET c.at = $now, c.everywhere = true)
SET c.reason = $reason, c.by = $by,
    c.contexts = CASE WHEN $receipt IS NULL OR $receipt IN c.receipts THEN c.contexts ELSE c.contexts + $context END,
    c.receipts = CASE WHEN $receipt IS NULL OR $receipt IN c.receipts THEN c.receipts ELSE c.receipts + $receipt END
WITH w, r, c
CALL (w, r) {
  MATCH (w)-[d:CORRECTS {scope: $scopes[0]}]->(r)
  WHERE d.revoked_at IS NULL
  OPTIONAL MATCH (said:Recall {scope: $scopes[0], id: $receipt})
  CALL (r, d, said) {
    MATCH (r)<-[blame:MISLED]-(old:Recall {scope: $scopes[0]})
    WHERE old.id IN d.receipts AND (said IS NULL OR old.context_hash = said.context_hash
      OR 2 * vector.similarity.cosine(old.vector, said.vector) - 1 >= $close)
    DELETE blame
    RETURN collect(old.id) AS gone
  }
  WITH r, d, gone, [i IN range(0, size(d.receipts) - 1) WHERE NOT d.receipts[i] IN gone] AS kept
  SET d.contexts = [i IN kept | d.contexts[i]], d.receipts = [i IN kept | d.receipts[i]],
      d.revoked_at = CASE WHEN $context IS NULL OR size(kept) = 0 AND NOT d.everywhere THEN $now END,
      r.misled = COUNT { (r)<-[:MISLED]-() }
  RETURN count(*) AS revoked
}
RETURN c.everywhere AS everywhere,
  reduce(seen = [], context IN c.contexts | CASE WHEN context IN seen THEN seen ELSE seen + context END) AS contexts
