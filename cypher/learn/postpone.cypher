// name: learn/postpone
// mode: write
// params: scope, id, worker, until, tries, problem
// returns: id
//
// Let a group that could not be distilled wait until later; what was tried too often waits until it changes. Nothing is
// written unless this worker leads; the statement before this one locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
MATCH (first:Memory {scope: $scope, id: $id}) WHERE first.awaits = 'distilling'
SET first.problem = $problem, first.claimed_until = $until, first.tries = coalesce(first.tries, 0) + 1
FOREACH (_ IN CASE WHEN first.tries >= $tries THEN [1] ELSE [] END |
  REMOVE first.awaits, first.claimed_until, first.tries)
RETURN first.id AS id
