// name: explore/why_recalled_table
// mode: read
// params: scope, scopes, recall
// returns: rank, memory, label, hit, used, misled, score, relevance, semantic, outcome, recency, specificity, centrality, lexical, false_hit, decision, threshold
//
// Why was this recalled? The same in figures: each memory with its score, its relevance and every component.
// $recall is a receipt's id; empty: the latest that was answered, among the newest 100,000. The context of a correction is
// no recall. What only misled, and was not returned, has no figures.
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
MATCH (r)-[x:RETURNED|MISLED]->(m:Memory)
WHERE m.scope IN $scopes AND m.expires_at > datetime() AND NOT m.secure
WITH r, m, head(collect(CASE WHEN type(x) = 'RETURNED' THEN x END)) AS e, 'MISLED' IN collect(type(x)) AS misled
RETURN e.rank AS rank, m.id AS memory, m.label AS label, e.hit AS hit, e.used AS used, misled, round(e.score, 3) AS score,
  round(e.relevance, 3) AS relevance, round(e.semantic, 3) AS semantic, round(e.outcome, 3) AS outcome,
  round(e.recency, 3) AS recency, round(e.specificity, 3) AS specificity, round(e.centrality, 3) AS centrality,
  round(e.lexical, 3) AS lexical, round(e.false_hit, 3) AS false_hit, r.decision AS decision, r.threshold AS threshold
ORDER BY rank, memory LIMIT 50
