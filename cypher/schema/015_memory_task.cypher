// name: schema/015_memory_task
// mode: schema
// params:
// returns:
//
// The episodes at one task.
CYPHER 25
CREATE INDEX memory_task IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.task_key)
