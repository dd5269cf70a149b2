// name: govern/retention_expired
// mode: read
// params: scopes, now, before, most
// returns: expired, receipts, jobs, memories
//
// What has expired in these scopes: how many memories, receipts and jobs (those that ended before then), and the first
// memories, each with those that it alone corrects everywhere: they were right no more, and are not right again when it is
// gone. The receipt of a correction's context stays, for the correction rests on it.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at <= $now
  WITH m ORDER BY m.scope, m.id
  WITH count(*) AS expired, collect(m)[..$most] AS first
  RETURN expired, COLLECT {
    UNWIND first AS m
    RETURN {scope: m.scope, id: m.id, wrong: COLLECT {
      MATCH (m)-[c:CORRECTS {scope: m.scope}]->(n:Memory {scope: m.scope})
      WHERE c.everywhere AND c.revoked_at IS NULL AND n.expires_at > $now AND n.status IN ['active', 'candidate'] AND NOT EXISTS {
        MATCH (o:Memory {scope: m.scope})-[d:CORRECTS {scope: m.scope}]->(n)
        WHERE d.everywhere AND d.revoked_at IS NULL AND o.expires_at > $now
      }
      RETURN n.id ORDER BY n.id
    }}
  } AS memories
}
CALL () {
  MATCH (r:Recall) WHERE r.scope IN $scopes AND r.id IS NOT NULL AND r.expires_at <= $now AND r.decision <> 'corrected'
  RETURN count(*) AS receipts
}
CALL () {
  MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL AND j.kind IN ['consolidation', 'retention', 'centrality', 'erasure']
    AND j.state IN ['done', 'failed', 'killed', 'skipped'] AND coalesce(j.ended_at, j.started_at) <= $before
  RETURN count(*) AS jobs
}
RETURN expired, receipts, jobs, memories
