// name: schema/011_recall_tenant
// mode: schema
// params:
// returns:
//
// Which scopes of a tenant keep receipts.
CYPHER 25
CREATE INDEX recall_tenant IF NOT EXISTS FOR (r:Recall) ON (r.tenant, r.scope)
