// name: learn/abandoned
// mode: write
// params: scope, now
// returns: id
//
// Runs of consolidation whose time is over: nobody was there any more to say how they ended.
CYPHER 25
MATCH (j:Job) WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = 'consolidation' AND j.state = 'running' AND j.until <= $now
SET j.state = 'killed', j.ended_at = $now
RETURN j.id AS id
