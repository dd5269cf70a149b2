// name: erase/uncount
// mode: write
// params: scope, worker, skills
// returns: uncounted
//
// Forget how well these skills are proven: it is counted anew. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $skills AS row
MATCH (s:Memory {scope: row.scope, id: row.id})
REMOVE s.support, s.success_rate, s.success_low
RETURN count(s) AS uncounted
