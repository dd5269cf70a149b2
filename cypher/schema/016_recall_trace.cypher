// name: schema/016_recall_trace
// mode: schema
// params:
// returns:
//
// The recalls of one trace.
CYPHER 25
CREATE INDEX recall_trace IF NOT EXISTS FOR (r:Recall) ON (r.scope, r.trace_id)
