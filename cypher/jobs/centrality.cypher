// name: jobs/centrality
// mode: write
// params: scope, rows, now
// returns: written
//
// Write the centrality of memories and its parts; one that is gone is passed over.
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {scope: $scope, id: row.id})
SET m.degree = row.degree, m.betweenness = row.betweenness, m.centrality = row.centrality, m.centrality_at = $now
RETURN count(m) AS written
