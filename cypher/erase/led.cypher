// name: erase/led
// mode: read
// params: scope, worker
// returns: id
//
// Whether this worker leads a scope's queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
RETURN q.id AS id
