// name: erase/stay
// mode: write
// params: scope, worker, stay, now
// returns: changed
//
// Let what was derived, and stays, name the sources that are left to it. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $stay AS row
MATCH (d:Memory {scope: row.scope, id: row.id})
SET d.sources = row.sources, d.content_hash = row.content_hash, d.updated_at = $now
RETURN count(d) AS changed
