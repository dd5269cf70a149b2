// name: schema/indexes
// mode: read
// params:
// returns: name, type, state, labels, properties, options
//
// The indexes of this database.
CYPHER 25
SHOW INDEXES YIELD name, type, state, labelsOrTypes, properties, options
RETURN name AS name, type AS type, state AS state, labelsOrTypes AS labels, properties AS properties, options AS options
