// name: learn/proven
// mode: write
// params: scope, rows, worker
// returns: id
//
// Note on skills how well they are proven: how many distinct attempts support them, and their success rate with its lower
// bound. Nothing is written unless this worker leads; the first statement of the transaction locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $rows AS row
MATCH (s:Memory {scope: $scope, id: row.id}) WHERE s.kind = 'skill'
SET s.support = row.support, s.success_rate = row.rate, s.success_low = row.low
RETURN s.id AS id
