// name: correct/correct
// mode: write
// params: scopes, wrong, right, reason, context, receipt, close, by, now
// returns: everywhere, contexts
//
// Write that one memory corrects another, everywhere or in one more context; the edge belongs to the scope that writes it.
// Everywhere, it revokes what that scope said to the contrary, and the blame that came with it; a revoked correction that is made again begins anew.
// In a context, what the wrong one corrects there passes to the right one, and its word against the right one ends there.
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
SET c.reason = $reason, c.by = $by,
    c.everywhere = c.everywhere OR $context IS NULL,
    c.contexts = CASE WHEN $receipt IS NULL OR $receipt IN c.receipts THEN c.contexts ELSE c.contexts + $context END,
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
CALL (w, r) {
  WITH * WHERE $context IS NOT NULL
  MATCH (said:Recall {scope: $scopes[0], id: $receipt})
  CALL (w, said) {
    MATCH ANY (w)((:Memory)-[d:CORRECTS]->(b:Memory)
      WHERE d.scope IN $scopes AND b.scope IN $scopes AND d.revoked_at IS NULL){0,20}(x:Memory)
    WITH DISTINCT said, x LIMIT 200
    MATCH (x)-[d:CORRECTS]->(:Memory)
    WHERE d.scope IN $scopes AND d.revoked_at IS NULL
    UNWIND coalesce(d.receipts, []) AS id
    WITH DISTINCT said, id
    MATCH (old:Recall) WHERE old.scope IN $scopes AND old.id = id
      AND (old.context_hash = said.context_hash OR 2 * vector.similarity.cosine(old.vector, said.vector) - 1 >= $close)
    RETURN collect(id) AS near
  }
  CALL (w, r, said, near) {
    OPTIONAL MATCH ANY (w)((:Memory)-[d:CORRECTS]->(b:Memory)
      WHERE d.scope IN $scopes AND b.scope IN $scopes AND d.revoked_at IS NULL AND b <> r
        AND (d.everywhere OR any(id IN d.receipts WHERE id IN near))){1,20}(x:Memory)
    WHERE x <> w
    WITH r, collect(DISTINCT x)[..200] AS reached
    OPTIONAL MATCH (r)-[e:CORRECTS {scope: $scopes[0]}]->(x:Memory)
    WHERE e.revoked_at IS NULL AND $receipt IN e.receipts
    WITH reached, collect(x) AS again
    RETURN reached + again AS below
  }
  CALL (w, near) {
    MATCH (w)-[d:CORRECTS {scope: $scopes[0]}]->(x:Memory)
    WHERE d.revoked_at IS NULL AND any(id IN d.receipts WHERE id IN near)
    CALL (d, x, near) {
      MATCH (x)<-[blame:MISLED]-(old:Recall {scope: $scopes[0]})
      WHERE old.id IN near AND old.id IN d.receipts
      DELETE blame
      RETURN count(*) AS forgiven
    }
    WITH d, x, [i IN range(0, size(d.receipts) - 1) WHERE NOT d.receipts[i] IN near] AS kept
    SET d.contexts = [i IN kept | d.contexts[i]], d.receipts = [i IN kept | d.receipts[i]],
        d.revoked_at = CASE WHEN size(kept) = 0 AND NOT d.everywhere THEN $now END
    RETURN collect(x) AS cleared
  }
  CALL (w, r, said, below) {
    MATCH (w)<-[blame:MISLED]-(said)
    UNWIND below AS x
    WITH DISTINCT r, said, x, blame.weight AS weight
    MERGE (r)-[e:CORRECTS {scope: $scopes[0]}]->(x)
    ON CREATE SET e.revoked_at = $now
    FOREACH (_ IN CASE WHEN e.revoked_at IS NULL THEN [] ELSE [1] END |
      SET e.at = $now, e.contexts = [], e.receipts = [], e.everywhere = false, e.reason = $reason, e.by = $by)
    REMOVE e.revoked_at
    SET x.corrected = true,
        e.contexts = CASE WHEN $receipt IN e.receipts THEN e.contexts ELSE e.contexts + $context END,
        e.receipts = CASE WHEN $receipt IN e.receipts THEN e.receipts ELSE e.receipts + $receipt END
    MERGE (said)-[b:MISLED]->(x)
    ON CREATE SET b.at = $now
    SET b.weight = weight, b.reason = $reason
    RETURN collect(x) AS passed
  }
  UNWIND cleared + passed AS m
  WITH DISTINCT m ORDER BY m.id
  SET m.counted = true
  WITH collect(m) AS counted
  UNWIND counted AS m
  SET m.misled = COUNT { (m)<-[:MISLED]-() }
  REMOVE m.counted
  RETURN count(*) AS recounted
}
RETURN c.everywhere AS everywhere,
  reduce(seen = [], context IN c.contexts | CASE WHEN context IN seen THEN seen ELSE seen + context END) AS contexts
