// name: schema/025_rule_key
// mode: schema
// params:
// returns:
//
// Each version of a rule of a scope and domain exists once.
CYPHER 25
CREATE CONSTRAINT rule_key IF NOT EXISTS FOR (r:Rule) REQUIRE (r.scope, r.domain, r.name, r.version) IS UNIQUE
