// name: learn/renew
// mode: write
// params: scope, worker, until
// returns: id
//
// Keep the episodes that a worker holds for longer; those that come back are its own still. The statement before this one
// locks the queue.
CYPHER 25
MATCH (e:Memory {scope: $scope, awaits: 'reflection'}) WHERE e.claimed_by = $worker
SET e.claimed_until = $until
RETURN e.id AS id
