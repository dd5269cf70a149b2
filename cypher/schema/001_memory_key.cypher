// name: schema/001_memory_key
// mode: schema
// params:
// returns:
//
// An id is unique within its scope, so that no scope learns of the ids of another.
CYPHER 25
CREATE CONSTRAINT memory_key IF NOT EXISTS FOR (m:Memory) REQUIRE (m.scope, m.id) IS UNIQUE
