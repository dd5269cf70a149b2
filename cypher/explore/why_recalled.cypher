// name: explore/why_recalled
// mode: read
// params: scope, scopes, recall
// returns: recall, edge, memory
//
// Why was this recalled? The receipt, what it returned (RETURNED) and what misled there (MISLED), as a graph.
// Click an edge: it carries rank, score, relevance and every component. $recall is a receipt's id; empty: the latest that was
// answered, among the newest 100,000. The context of a correction is no recall.
CYPHER 25
CALL () {
  MATCH (r:Recall {scope: $scope, id: $recall})
  WHERE r.expires_at > datetime() AND r.decision <> 'corrected'
  RETURN r
  UNION ALL
  MATCH (r:Recall)
  USING INDEX r:Recall(scope, at)
  WHERE r.scope = CASE $recall WHEN '' THEN $scope END AND r.at <= datetime()
  WITH r ORDER BY r.scope DESC, r.at DESC LIMIT 100000
  WITH r WHERE r.id IS NOT NULL AND r.expires_at > datetime() AND r.decision IN ['use', 'verify']
  RETURN r ORDER BY r.scope DESC, r.at DESC, r.id LIMIT 1
}
OPTIONAL MATCH (r)-[e:RETURNED|MISLED]->(m:Memory)
WHERE m.scope IN $scopes AND m.expires_at > datetime() AND NOT m.secure
WITH r, e, m ORDER BY e.rank, m.id LIMIT 50
RETURN r AS recall, e AS edge, m AS memory
