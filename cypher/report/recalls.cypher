// name: report/recalls
// mode: read
// params: scope, now, looked
// returns: week, decision, outcome, recalls
//
// The newest receipts of a scope counted by week (its Monday, in UTC), decision and how the attempt ended.
// The order begins with the scope so that the index gives it, and no more than is counted is read.
CYPHER 25
MATCH (r:Recall)
USING INDEX r:Recall(scope, at)
WHERE r.scope = $scope AND r.at <= $now
WITH r ORDER BY r.scope DESC, r.at DESC LIMIT $looked
WITH r WHERE r.id IS NOT NULL AND r.expires_at > $now AND r.decision IN ['use', 'verify', 'novel', 'policy_only']
RETURN toString(date.truncate('week', r.at)) AS week, r.decision AS decision, coalesce(r.outcome, 'unknown') AS outcome,
  count(*) AS recalls
ORDER BY week, decision, outcome
