// name: govern/retention_sweep
// mode: write
// params: scopes, ids, now
// returns: deleted
//
// Delete memories that have expired, with their links. What they were a source of, came of, corrected or were corrected by
// is marked: it has outlived what would explain it. The statement before this one holds them.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IN $ids AND m.expires_at <= $now
WITH collect(m) AS found
CALL (found) {
  UNWIND found AS m
  MATCH (m)-[:DERIVES|GENERALIZES|CORRECTS]-(n:Memory) WHERE NOT n IN found
  WITH DISTINCT n ORDER BY n.id, n.scope
  SET n.outlived = true
  RETURN count(*) AS marked
}
FOREACH (m IN found | DETACH DELETE m)
RETURN size(found) AS deleted
