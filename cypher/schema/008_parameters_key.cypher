// name: schema/008_parameters_key
// mode: schema
// params:
// returns:
//
// Each version of the parameters of a scope and domain exists once.
CYPHER 25
CREATE CONSTRAINT parameters_key IF NOT EXISTS FOR (p:Parameters) REQUIRE (p.scope, p.domain, p.version) IS UNIQUE
