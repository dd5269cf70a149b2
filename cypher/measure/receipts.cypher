// name: measure/receipts
// mode: read
// params: scope, scopes, domain, model, now, words, most
// returns: id, domain, decision, outcome, best, agreed, surroundings, first, words
//
// The receipts of a scope in which anything was said about a memory, newest first, with all that was said, best ranked
// memory first, and with the rank of the first memory: the first hit's, or 1 without hits. Of a receipt at most so many
// memories are read. A domain, or a model whose vectors were searched, may be absent.
CYPHER 25
MATCH (r:Recall {scope: $scope})
WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.best IS NOT NULL AND ($domain IS NULL OR r.domain = $domain)
  AND ($model IS NULL OR (r.embedding_model = $model AND NOT r.lexical_only AND r.agreed IS NOT NULL AND r.surroundings IS NOT NULL))
CALL (r) {
  MATCH (r)-[x:RETURNED|MISLED]->(m:Memory)
  WHERE m.scope IN $scopes
  WITH m, head(collect(CASE WHEN type(x) = 'RETURNED' THEN x END)) AS e, 'MISLED' IN collect(type(x)) AS misled
  WITH m, e, misled ORDER BY e.rank, m.id LIMIT $words
  RETURN coalesce(min(CASE WHEN e.hit THEN e.rank END), 1) AS first,
    collect(CASE WHEN misled OR e.used OR e.relevant IS NOT NULL THEN {rank: e.rank, used: coalesce(e.used, false),
      relevant: e.relevant, misled: misled, semantic: e.semantic, outcome: e.outcome, recency: e.recency,
      specificity: e.specificity, centrality: e.centrality, lexical: e.lexical, false_hit: e.false_hit} END) AS words
}
WITH r, first, words WHERE size(words) > 0
ORDER BY r.at DESC, r.id LIMIT $most
RETURN r.id AS id, r.domain AS domain, r.decision AS decision, r.outcome AS outcome, r.best AS best, r.agreed AS agreed,
  r.surroundings AS surroundings, first, words
ORDER BY r.at DESC, r.id
