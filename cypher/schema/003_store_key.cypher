// name: schema/003_store_key
// mode: schema
// params:
// returns:
//
// One node says for which model and analyzer this database was made.
CYPHER 25
CREATE CONSTRAINT store_key IF NOT EXISTS FOR (s:Store) REQUIRE s.id IS UNIQUE
