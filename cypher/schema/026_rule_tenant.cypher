// name: schema/026_rule_tenant
// mode: schema
// params:
// returns:
//
// The rules of a tenant.
CYPHER 25
CREATE INDEX rule_tenant IF NOT EXISTS FOR (r:Rule) ON (r.tenant)
