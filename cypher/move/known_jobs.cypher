// name: move/known_jobs
// mode: read
// params: rows
// returns: scope, id, node
//
// Those of the jobs that are there.
CYPHER 25
UNWIND $rows AS row
MATCH (j:Job {scope: row.scope, id: row.id})
RETURN j.scope AS scope, j.id AS id, j {.*} AS node
