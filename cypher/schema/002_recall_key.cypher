// name: schema/002_recall_key
// mode: schema
// params:
// returns:
//
// A receipt is unique within its scope.
CYPHER 25
CREATE CONSTRAINT recall_key IF NOT EXISTS FOR (r:Recall) REQUIRE (r.scope, r.id) IS UNIQUE
