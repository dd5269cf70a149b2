// name: schema/019_memory_reflected
// mode: schema
// params:
// returns:
//
// The episodes of a scope that were reflected, by when.
CYPHER 25
CREATE INDEX memory_reflected IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.reflected_at)
