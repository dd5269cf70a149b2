// name: move/job
// mode: write
// params: rows
// returns: created
//
// Store what jobs elsewhere said of themselves, each once.
CYPHER 25
UNWIND $rows AS row
MERGE (j:Job {scope: row.scope, id: row.id})
ON CREATE SET j += row.properties, j.write_id = row.write_id
WITH j, coalesce(j.write_id = row.write_id, false) AS created
REMOVE j.write_id
RETURN sum(CASE WHEN created THEN 1 ELSE 0 END) AS created
