// name: schema/017_memory_group
// mode: schema
// params:
// returns:
//
// The memories of one group.
CYPHER 25
CREATE INDEX memory_group IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.group)
