// name: schema/014_memory_awaits
// mode: schema
// params:
// returns:
//
// Which memories of a scope wait for a worker.
CYPHER 25
CREATE INDEX memory_awaits IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.awaits)
