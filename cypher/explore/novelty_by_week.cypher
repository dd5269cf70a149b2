// name: explore/novelty_by_week
// mode: read
// params: scope
// returns: week, asked, novel, share, novelty, solved
//
// Novelty by week: how many recalls found nothing that fits, the mean novelty, and how many of the first attempts that
// followed ended well. Learning shows as a share that falls. The newest 100,000
// receipts are counted.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, at)
WHERE r.scope = $scope AND r.at <= datetime()
WITH r ORDER BY r.scope DESC, r.at DESC LIMIT 100000
WITH r WHERE r.id IS NOT NULL AND r.expires_at > datetime() AND r.decision IN ['use', 'verify', 'novel']
WITH toString(date.truncate('week', r.at)) AS week, r
RETURN week, count(*) AS asked, sum(CASE r.decision WHEN 'novel' THEN 1 ELSE 0 END) AS novel,
  round(avg(CASE r.decision WHEN 'novel' THEN 1.0 ELSE 0.0 END), 3) AS share, round(avg(r.novelty), 3) AS novelty,
  sum(CASE WHEN r.decision = 'novel' AND r.outcome = 'success' THEN 1 ELSE 0 END) AS solved
ORDER BY week DESC LIMIT 104
