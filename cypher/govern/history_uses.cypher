// name: govern/history_uses
// mode: read
// params: scopes, id, now, most
// returns: events, returned, used, misled, latest, parameters
//
// What was done to a memory, and how these scopes used it: in how many recalls it was a hit, was used and misled, the latest
// of them, and with which versions of the parameters they were decided.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
CALL (m) {
  MATCH (m)<-[x:RETURNED|MISLED]-(r:Recall)
  WHERE r.scope IN $scopes AND r.expires_at > $now
  WITH r, head(collect(CASE WHEN type(x) = 'RETURNED' THEN x END)) AS e, head(collect(CASE WHEN type(x) = 'MISLED' THEN x END)) AS b
  ORDER BY r.at DESC, r.id
  RETURN collect({recall_id: r.id, at: r.at, decision: r.decision, domain: coalesce(r.domain, ''), outcome: coalesce(r.outcome, 'unknown'),
    parameters: r.parameters, threshold: r.threshold, rank: e.rank, score: e.score, hit: coalesce(e.hit, false),
    used: coalesce(e.used, false), misled: b IS NOT NULL, reason: coalesce(b.reason, '')}) AS uses
}
CALL (uses) {
  UNWIND uses AS use
  WITH use WHERE use.hit AND use.parameters IS NOT NULL
  WITH use.parameters AS version, use.domain AS domain, use.threshold AS threshold, count(*) AS recalls, min(use.at) AS first_at,
    max(use.at) AS last_at
  ORDER BY last_at DESC, domain, version, threshold
  RETURN collect({version: version, domain: domain, threshold: threshold, recalls: recalls, first_at: first_at, last_at: last_at})[..$most] AS parameters
}
RETURN coalesce(m.events, []) AS events, size([use IN uses WHERE use.hit]) AS returned, size([use IN uses WHERE use.used]) AS used,
  size([use IN uses WHERE use.misled]) AS misled, uses[..$most] AS latest, parameters
