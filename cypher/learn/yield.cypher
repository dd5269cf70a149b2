// name: learn/yield
// mode: write
// params: scope, worker
// returns: id
//
// Give up the lead of a scope's queue; the statement before this one locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
REMOVE q.lead, q.lead_until
RETURN q.id AS id
