// name: schema/007_memory_time
// mode: schema
// params:
// returns:
//
// Listing a scope in the order of time.
CYPHER 25
CREATE INDEX memory_time IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.happened_at)
