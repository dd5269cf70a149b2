// name: schema/027_recall_time
// mode: schema
// params:
// returns:
//
// The newest receipts of a scope.
CYPHER 25
CREATE INDEX recall_time IF NOT EXISTS FOR (r:Recall) ON (r.scope, r.at)
