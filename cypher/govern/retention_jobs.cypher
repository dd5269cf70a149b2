// name: govern/retention_jobs
// mode: write
// params: scopes, before, most
// returns: deleted
//
// Delete what jobs that ended by then said of themselves, at most so many.
CYPHER 25
MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL AND j.kind IN ['consolidation', 'retention', 'centrality', 'erasure']
  AND j.state IN ['done', 'failed', 'killed', 'skipped'] AND coalesce(j.ended_at, j.started_at) <= $before
WITH j LIMIT $most
DETACH DELETE j
RETURN count(*) AS deleted
