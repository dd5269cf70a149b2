// name: server/gds
// mode: read
// params:
// returns: version
//
// The version of Graph Data Science; it fails where that is not installed.
CYPHER 25
RETURN gds.version() AS version
