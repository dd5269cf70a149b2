// name: explore/false_hits_by_domain
// mode: read
// params: scope, scopes
// returns: domain, asked, answered, misled, share, corrected, most_blamed, last_reason
//
// False hits by domain: the recalls that were answered (use or verify), in how many of them something misled, and which
// memory did so most often, the contexts of corrections included. The share is of the answered ones; `graphmem metrics`
// counts only what was judged. The newest 100,000 receipts are looked at; what misled is not told where
// it is secure or has expired, nor where a secure memory corrects it in that context.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, at)
WHERE r.scope = $scope AND r.at <= datetime()
WITH r ORDER BY r.scope DESC, r.at DESC LIMIT 100000
WITH r WHERE r.id IS NOT NULL AND r.expires_at > datetime()
CALL (r) {
  MATCH (r)-[x:MISLED]->(m:Memory)
  WHERE m.scope IN $scopes AND m.expires_at > datetime() AND NOT m.secure
    AND NOT EXISTS { (m)<-[c:CORRECTS]-(s:Memory) WHERE s.secure AND r.id IN c.receipts }
  RETURN collect({id: m.id, reason: x.reason, at: x.at}) AS blamed
}
WITH coalesce(r.domain, '') AS domain,
  sum(CASE WHEN r.decision IN ['use', 'verify', 'novel'] THEN 1 ELSE 0 END) AS asked,
  sum(CASE WHEN r.decision IN ['use', 'verify'] THEN 1 ELSE 0 END) AS answered,
  sum(CASE WHEN r.decision IN ['use', 'verify'] AND size(blamed) > 0 THEN 1 ELSE 0 END) AS misled,
  sum(CASE WHEN r.decision = 'corrected' THEN 1 ELSE 0 END) AS corrected,
  collect(CASE WHEN size(blamed) > 0 THEN blamed END) AS blames
CALL (blames) {
  UNWIND blames AS some
  UNWIND some AS blame
  WITH blame.id AS id, count(*) AS times ORDER BY times DESC, id LIMIT 1
  RETURN collect(id) AS worst
}
CALL (blames) {
  UNWIND blames AS some
  UNWIND some AS blame
  WITH blame ORDER BY blame.at DESC, blame.id LIMIT 1
  RETURN collect(blame.reason) AS reasons
}
RETURN CASE domain WHEN '' THEN '(none)' ELSE domain END AS domain, asked, answered, misled,
  CASE WHEN answered > 0 THEN round(toFloat(misled) / answered, 3) END AS share, corrected,
  worst[0] AS most_blamed, reasons[0] AS last_reason
ORDER BY misled DESC, answered DESC, domain
