// name: erase/attempts
// mode: read
// params: rows
// returns: scope, task, id
//
// All attempts at tasks: what is learnt of one of them may tell of the others.
CYPHER 25
UNWIND $rows AS row
MATCH (e:Memory {scope: row.scope, task_key: row.task})
RETURN e.scope AS scope, e.task_key AS task, e.id AS id
