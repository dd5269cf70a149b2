// name: schema/018_memory_kind
// mode: schema
// params:
// returns:
//
// The memories of a scope by kind and status.
CYPHER 25
CREATE INDEX memory_kind IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.kind, m.status)
