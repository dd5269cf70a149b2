// name: learn/lead
// mode: write
// params: scope, worker, now, until
// returns: worker
//
// Take or keep the lead of a scope's queue for a while, unless another worker has it; one leads at a time. The statement
// before this one locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'})
WITH q WHERE q.lead IS NULL OR q.lead = $worker OR NOT $now < q.lead_until <= $until
SET q.lead = $worker, q.lead_until = $until
RETURN q.lead AS worker
