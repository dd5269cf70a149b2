// name: jobs/alive
// mode: read
// params: prefix
// returns: name
//
// The jobs whose process is there: each holds a transaction open that carries its name.
CYPHER 25
SHOW TRANSACTIONS YIELD metaData
WHERE metaData.graphmem STARTS WITH $prefix
RETURN metaData.graphmem AS name
