// name: govern/retention_abandoned
// mode: write
// params: scope, now
// returns: id
//
// Runs of retention whose time is over: nobody was there any more to say how they ended.
CYPHER 25
MATCH (j:Job) WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = 'retention' AND j.state = 'running'
  AND (j.until IS NULL OR j.until <= $now)
SET j.state = 'killed', j.ended_at = $now
RETURN j.id AS id
