// name: erase/unvouched
// mode: write
// params: scope, worker, rows, instead
// returns: changed
//
// Take the name of who approved these skills away, if they are still as they were read. Nothing is done unless this worker
// leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $rows AS row
MATCH (m:Memory {scope: row.scope, id: row.id}) WHERE m.content_hash = row.was
SET m.approved_by = $instead, m.content_hash = row.content_hash
RETURN count(m) AS changed
