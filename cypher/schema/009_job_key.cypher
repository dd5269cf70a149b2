// name: schema/009_job_key
// mode: schema
// params:
// returns:
//
// Ids of jobs are unique within a scope.
CYPHER 25
CREATE CONSTRAINT job_key IF NOT EXISTS FOR (j:Job) REQUIRE (j.scope, j.id) IS UNIQUE
