// name: jobs/abandoned
// mode: write
// params: scope, kind, now
// returns: id
//
// Mark the jobs of a kind whose time is over as killed: nobody was there any more to say how they ended.
CYPHER 25
MATCH (j:Job) WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = $kind AND j.state = 'running'
  AND (j.until IS NULL OR j.until <= $now)
SET j.state = 'killed', j.ended_at = $now
RETURN j.id AS id
