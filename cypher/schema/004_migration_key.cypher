// name: schema/004_migration_key
// mode: schema
// params:
// returns:
//
// A migration is applied once.
CYPHER 25
CREATE CONSTRAINT migration_key IF NOT EXISTS FOR (a:Migration) REQUIRE a.number IS UNIQUE
