// name: jobs/projections
// mode: read
// params: prefix
// returns: name
//
// The projections of this database whose names begin so.
CYPHER 25
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database
WITH graphName WHERE database = here AND graphName STARTS WITH $prefix
RETURN graphName AS name
