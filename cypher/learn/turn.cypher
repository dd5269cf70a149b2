// name: learn/turn
// mode: write
// params: scope, tenant, user, worker
// returns: worker
//
// Lock the queue of a scope, as the first statement of a transaction that takes work from it.
CYPHER 25
MERGE (q:Job {scope: $scope, id: 'queue'})
ON CREATE SET q.kind = 'queue', q.state = 'open', q.tenant = $tenant, q.user = $user
SET q.turn = $worker
RETURN q.turn AS worker
