// name: correct/outcome
// mode: write
// params: scope, id, outcome, evidence, now
// returns: id
//
// Say how the attempt behind a recall ended; the latest word counts.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
SET r.outcome = $outcome, r.evidence = $evidence, r.judged_at = $now
RETURN r.id AS id
