// name: schema/010_memory_tenant
// mode: schema
// params:
// returns:
//
// Which scopes of a tenant keep memories.
CYPHER 25
CREATE INDEX memory_tenant IF NOT EXISTS FOR (m:Memory) ON (m.tenant, m.scope)
