// name: schema/020_memory_family
// mode: schema
// params:
// returns:
//
// The versions of one skill.
CYPHER 25
CREATE INDEX memory_family IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.family)
