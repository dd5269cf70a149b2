// name: explore/why_recalled
// mode: read
// params: scope, scopes, recall
// returns: recall, edge, memory
//
// Why was this recalled? The receipt, what it returned (RETURNED) and what misled there (MISLED), as a graph.
// Click an edge: it carries rank, score, relevance and every component. $recall is a receipt's id; empty: the latest that was answered.
CYPHER 25
MATCH (r:Recall {scope: $scope})
WHERE r.id IS NOT NULL AND r.expires_at > datetime() AND $recall IN ['', r.id]
WITH r ORDER BY r.decision IN ['use', 'verify'] DESC, r.at DESC, r.id LIMIT 1
OPTIONAL MATCH (r)-[e:RETURNED|MISLED]->(m:Memory)
WHERE m.scope IN $scopes AND m.expires_at > datetime() AND NOT m.secure
WITH r, e, m ORDER BY e.rank, m.id LIMIT 50
RETURN r AS recall, e AS edge, m AS memory
