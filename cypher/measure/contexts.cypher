// name: measure/contexts
// mode: read
// params: scope, scopes, domain, now, looked, most
// returns: asked, known
//
// The contexts of a scope in which nothing was known once: every recall there in order, and since when the first two
// episodes of that context are known. Of many, the newest recalls, and the most recently asked contexts.
CYPHER 25
MATCH (r:Recall {scope: $scope})
WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.decision IN ['use', 'verify', 'novel'] AND ($domain IS NULL OR r.domain = $domain)
WITH r ORDER BY r.at DESC, r.id DESC LIMIT $looked
WITH r ORDER BY r.at, r.id
WITH r.context_hash AS hash, max(r.at) AS last,
  collect({at: r.at, decision: r.decision, outcome: coalesce(r.outcome, 'unknown')}) AS asked
WHERE any(recall IN asked WHERE recall.decision = 'novel')
WITH hash, last, asked ORDER BY last DESC, hash LIMIT $most
WITH collect({hash: hash, asked: asked}) AS contexts, collect(hash) AS hashes
CALL (hashes) {
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.kind = 'episode' AND m.recallable AND m.context_hash IN hashes
  WITH m.context_hash AS hash, m.created_at AS at ORDER BY at
  WITH hash, collect(at)[..2] AS known
  RETURN collect({hash: hash, known: known}) AS episodes
}
UNWIND contexts AS context
RETURN context.asked AS asked, coalesce(head([e IN episodes WHERE e.hash = context.hash | e.known]), []) AS known
