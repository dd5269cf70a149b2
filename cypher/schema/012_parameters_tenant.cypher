// name: schema/012_parameters_tenant
// mode: schema
// params:
// returns:
//
// Which scopes of a tenant keep parameters.
CYPHER 25
CREATE INDEX parameters_tenant IF NOT EXISTS FOR (p:Parameters) ON (p.tenant, p.scope)
