// name: schema/indexes
// mode: read
// params:
// returns: name, type, state, options
//
// The indexes of this database.
CYPHER 25
SHOW INDEXES YIELD name, type, state, options
RETURN name AS name, type AS type, state AS state, options AS options
