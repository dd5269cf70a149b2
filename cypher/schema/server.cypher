// name: schema/server
// mode: read
// params:
// returns: version, edition
//
// The version of the server.
CYPHER 25
CALL dbms.components() YIELD name, versions, edition
WITH versions, edition WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition AS edition
