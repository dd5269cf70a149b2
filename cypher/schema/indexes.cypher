// name: schema/indexes
// mode: read
// params:
// returns: name, type, state, labels, properties, options, constraint
//
// The indexes of this database.
CYPHER 25
SHOW INDEXES YIELD name, type, state, labelsOrTypes, properties, options, owningConstraint
RETURN name AS name, type AS type, state AS state, labelsOrTypes AS labels, properties AS properties, options AS options,
  owningConstraint AS constraint
