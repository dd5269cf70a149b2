// name: learn/supersede
// mode: write
// params: scope, rows, by, now
// returns: id
//
// Let the newer version of a skill correct the older one, where the newer one has become active and the older one has
// made way.
CYPHER 25
UNWIND $rows AS row
MATCH (n:Memory {scope: $scope, id: row.newer}) WHERE n.status = 'active'
MATCH (o:Memory {scope: $scope, id: row.older}) WHERE o.status = 'superseded'
MERGE (n)-[c:CORRECTS {scope: $scope}]->(o)
ON CREATE SET c.at = $now, c.everywhere = true, c.contexts = [], c.receipts = [], c.by = $by, c.reason = row.reason
SET o.corrected = true
RETURN o.id AS id
