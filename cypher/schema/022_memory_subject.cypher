// name: schema/022_memory_subject
// mode: schema
// params:
// returns:
//
// Memories by the person they are about, in a scope.
CYPHER 25
CREATE INDEX memory_subject IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.subject)
