// name: schema/await_indexes
// mode: read
// params: seconds
// returns:
//
// Wait until every index is online, or fail after that many seconds.
CYPHER 25
CALL db.awaitIndexes($seconds)
