// name: schema/013_job_tenant
// mode: schema
// params:
// returns:
//
// Which scopes of a tenant keep jobs.
CYPHER 25
CREATE INDEX job_tenant IF NOT EXISTS FOR (j:Job) ON (j.tenant, j.scope)
